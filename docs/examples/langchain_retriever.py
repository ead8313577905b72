"""A LangChain retriever over Strata. Each document keeps its Unit's id, source, locator and score as metadata."""

import os
from typing import Any

import httpx
from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

KEPT = ("unit_id", "doc_id", "scope", "modality", "plane", "source_uri", "locator", "path", "score")


class StrataRetriever(BaseRetriever):
    """What a token's principal may read, best first. Raises httpx.HTTPStatusError when the service refuses."""

    base_url: str
    token: str
    top_k: int = 5
    #: Any further members of the query: planes, filters, rerank, group_by.
    query: dict[str, Any] = {}

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        response = httpx.post(
            f"{self.base_url}/v1/search",
            headers={"Authorization": f"Bearer {self.token}"},
            json={"q": query, "top_k": self.top_k, **self.query},
            timeout=60,
        )
        response.raise_for_status()
        return [
            Document(id=hit["unit_id"], page_content=hit.get("text", ""), metadata={key: hit[key] for key in KEPT if key in hit})
            for hit in response.json()["hits"]
        ]


if __name__ == "__main__":
    retriever = StrataRetriever(
        base_url=os.environ.get("STRATA_URL", "http://127.0.0.1:4700"),
        token=os.environ.get("STRATA_TOKEN", "strata_demo_reader"),
        top_k=3,
        query={"rerank": True},
    )
    for document in retriever.invoke("why did turbine 7 stop?"):
        print(f"{document.metadata['score']:.3f}  {document.metadata['scope']}  {document.page_content[:80]}")
