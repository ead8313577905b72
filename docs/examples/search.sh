#!/bin/sh
# Search, answer and the Unit behind a hit, with curl and jq.
set -eu
url=${STRATA_URL:-http://127.0.0.1:4700}
token=${STRATA_TOKEN:-strata_demo_reader}

ask() {
  curl --fail-with-body --silent --show-error -H "Authorization: Bearer $token" -H 'Content-Type: application/json' "$@"
}

echo "== search"
hits=$(ask "$url/v1/search" -d '{"q": "why did turbine 7 stop?", "top_k": 3}')
echo "$hits" | jq -r '.hits[] | "\(.rank)  \(.score)  \(.scope)  \(.snippet)"'
echo "$hits" | jq -r '"hidden from this caller: \(.hidden_by_acl)"'

echo "== the Unit behind the first hit"
id=$(echo "$hits" | jq -r '.hits[0].unit_id')
ask "$url/v1/units/$id" | jq '{unit_id, modality, plane, locator, acl_groups}'

echo "== answer"
ask "$url/v1/answer" -d '{"q": "why did turbine 7 stop?", "answer": true}' |
  jq -r '.answer | .text, (.citations[] | "[\(.marker)] \(.quote)")'
