"""Watches an address, suspends it for a deployment, and saves a report. Needs Python 3.9 or later.

LATARNIK_URL=https://latarnik.example.com LATARNIK_TOKEN=lat_… python3 journey.py shop.example.com/
"""
import json
import os
import sys
import time
import urllib.error
import urllib.request
from datetime import datetime, timedelta, timezone


def api(method, path, body=None):
    request = urllib.request.Request(
        os.environ["LATARNIK_URL"] + "/v3" + path,
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["LATARNIK_TOKEN"],
            **({} if body is None else {"Content-Type": "application/json"}),
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            content = answer.read()
    except urllib.error.HTTPError as refusal:
        problems = json.load(refusal)
        told = "; ".join(f"{one.get('field', '')} {one['message']}" for one in problems)
        raise SystemExit(f"{method} {path}: {refusal.code} {told}") from None
    return json.loads(content) if "json" in answer.headers["Content-Type"] else content


def after(seconds):
    return (datetime.now(timezone.utc) + timedelta(seconds=seconds)).isoformat(timespec="seconds")


def wait(path, member, unfinished):
    while True:
        time.sleep(1)
        value = api("GET", path)[member]
        if value not in unfinished:
            return value


group = api("POST", "/groups", {"name": "Shop"})["id"]
service = api(
    "POST", "/services", {"name": "Front page", "type_id": "http", "address": sys.argv[1], "group_id": group}
)["id"]
print("Front page:", wait(f"/service_statuses/{service}", "summary", ["unknown"]))

for change in api("GET", f"/services/{service}/history/status_changes?sort=-start_time&limit=10"):
    print(change["start_time"], change["status"])
level = api("GET", f"/services/{service}/history/service_level")
print("{ok} s ok, {failure} s failure, {paused} s paused".format(**level))

api("POST", "/suspensions", {"service_id": service, "end_time": after(900), "description": "Deployment"})

scope = {"services": {"by_group_id": [group]}}
template = api("POST", "/report_templates", {"name": "Shop", "requested_scope": scope})["id"]
report = api("POST", "/reports", {"template_id": template, "from": after(-86400), "to": after(0)})["id"]
status = wait(f"/reports/{report}", "status", ["pending", "in_progress"])
with open("report.pdf", "wb") as file:
    file.write(api("GET", f"/reports/{report}/pdf"))
print("Report:", status)
