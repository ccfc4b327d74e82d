#!/bin/sh
# Watches an address, suspends it for a deployment, and saves a report. Needs curl and jq.
# LATARNIK_URL=https://latarnik.example.com LATARNIK_TOKEN=lat_… sh journey.sh shop.example.com/
set -eu

api() { # method, path, body
  curl --fail-with-body --silent --show-error --retry 3 --request "$1" "$LATARNIK_URL/v3$2" \
    --header "Authorization: Bearer $LATARNIK_TOKEN" \
    ${3:+--header 'Content-Type: application/json' --data "$3"}
}

group=$(api POST /groups '{"name": "Shop"}' | jq .id)
definition=$(jq -n --arg address "$1" --argjson group "$group" \
  '{name: "Front page", type_id: "http", address: $address, group_id: $group}')
service=$(api POST /services "$definition" | jq .id)

summary=unknown
while [ "$summary" = unknown ]; do
  sleep 1
  summary=$(api GET "/service_statuses/$service" | jq -r .summary)
done
echo "Front page: $summary"

api GET "/services/$service/history/status_changes?sort=-start_time&limit=10" |
  jq -r '.[] | "\(.start_time) \(.status)"'
api GET "/services/$service/history/service_level" | jq -r '"\(.ok) s ok, \(.failure) s failure, \(.paused) s paused"'

suspension=$(jq -n --argjson service "$service" \
  '{service_id: $service, end_time: (now + 900 | todate), description: "Deployment"}')
api POST /suspensions "$suspension" > /dev/null

scope=$(jq -n --argjson group "$group" '{services: {by_group_id: [$group]}}')
template=$(api POST /report_templates "$(jq -n --argjson scope "$scope" '{name: "Shop", requested_scope: $scope}')" | jq .id)
order=$(jq -n --argjson template "$template" \
  '{template_id: $template, from: (now - 86400 | todate), to: (now | todate)}')
report=$(api POST /reports "$order" | jq .id)
status=pending
while [ "$status" = pending ] || [ "$status" = in_progress ]; do
  sleep 1
  status=$(api GET "/reports/$report" | jq -r .status)
done
api GET "/reports/$report/pdf" > report.pdf
echo "Report: $status"
