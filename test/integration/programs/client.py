"""A stranger's program over the client that openapi-python-client made of the served document."""

import io
import os

from strata_client import AuthenticatedClient
from strata_client.api.access import context
from strata_client.api.files import put_file, remove_file
from strata_client.api.search import answer, search
from strata_client.api.units import ingest, unit, units
from strata_client.models import (
    AnswerQuery,
    AnswerResult,
    AnswerStatus,
    Context,
    Error,
    ErrorCode,
    FileAccepted,
    FileUpload,
    IngestRequest,
    IngestResult,
    LineRange,
    Modality,
    Perm,
    Removed,
    SearchQuery,
    SearchResult,
    Unit,
    UnitDraft,
    UnitPage,
)
from strata_client.types import File

url = os.environ["STRATA_URL"]
reader = AuthenticatedClient(base_url=url, token=os.environ["STRATA_TOKEN"], raise_on_unexpected_status=True)
admin = AuthenticatedClient(base_url=url, token=os.environ["STRATA_ADMIN"], raise_on_unexpected_status=True)

who = context.sync(client=reader)
assert isinstance(who, Context) and who.perms == [Perm.READ], who

found = search.sync(client=reader, body=SearchQuery(q="why did turbine 7 stop?"))
assert isinstance(found, SearchResult) and found.hits[0].rank == 1, found

answered = answer.sync(client=reader, body=AnswerQuery(q="why did turbine 7 stop?", answer=True))
assert isinstance(answered, AnswerResult), answered
assert answered.answer.status == AnswerStatus.ANSWERED and answered.answer.claims[0].citations, answered

refused = search.sync(client=reader, body=SearchQuery(q="x", top_k=51))
assert isinstance(refused, Error) and refused.error == ErrorCode.BAD_REQUEST, refused

draft = UnitDraft(text="The fig jam stands in locker seven.", modality=Modality.CHUNK, locator=LineRange(kind="line_range", start=1, end=1))
stored = ingest.sync(client=admin, body=IngestRequest(units=[draft]), x_svc_scope="harbour", idempotency_key="generated-python")
assert isinstance(stored, IngestResult) and stored.created == 1, stored
again = unit.sync(stored.units[0].unit_id, client=admin)
assert isinstance(again, Unit) and isinstance(again.locator, LineRange), again

page = units.sync(client=reader, limit=5)
assert isinstance(page, UnitPage) and len(page.units) == 5 and page.next_cursor == 5, page

upload = FileUpload(file=File(payload=io.BytesIO(b"The pear jam stands in locker two."), file_name="jam.txt"))
accepted = put_file.sync(client=admin, body=upload, wait=True, x_svc_scope="harbour")
assert isinstance(accepted, FileAccepted), accepted
removed = remove_file.sync(accepted.file_id, client=admin)
assert isinstance(removed, Removed) and removed.removed > 0, removed

print("all well")
