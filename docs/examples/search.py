"""Search, answer and a refusal, with httpx alone."""

import os

import httpx

strata = httpx.Client(
    base_url=os.environ.get("STRATA_URL", "http://127.0.0.1:4700"),
    headers={"Authorization": f"Bearer {os.environ.get('STRATA_TOKEN', 'strata_demo_reader')}"},
    timeout=60,
)


def call(path: str, body: dict) -> dict:
    """The body of the answer. Raises RuntimeError with what the service said."""
    response = strata.post(path, json=body)
    if response.is_error:
        refusal = response.json()
        raise RuntimeError(f"{refusal['status']} {refusal['error']}: {refusal['detail']}")
    return response.json()


found = call("/v1/search", {"q": "why did turbine 7 stop?", "top_k": 3})
for hit in found["hits"]:
    print(f"{hit['rank']}. {hit['scope']} ({hit['plane']}): {hit['snippet']}")
print(f"hidden from this caller: {found['hidden_by_acl']}")

answer = call("/v1/answer", {"q": "why did turbine 7 stop?", "answer": True})["answer"]
print(f"{answer['status']}: {answer['text']}")
for citation in answer["citations"]:
    print(f"[{citation['marker']}] {citation['quote']}")

try:
    call("/v1/search", {"q": "turbine", "top_k": 51})
except RuntimeError as refusal:
    print(f"refused with {refusal}")
