import type { GuideText } from '../catalogue.ts'

export const guide: GuideText = ({
  baseUrl,
  pageSize,
  longestPage,
  bodyKibibytes,
}) => `Sensors in many places check each service at the same moment; the round (an analysis) is judged by quorum, changes the status, is kept in the history and notifies.

## First steps

1. Press **Authorize** above: *basic* takes the username and the password that the first start printed; *oauth* opens the login form. Press **Execute** at an operation to call this server.
2. Make a service: \`POST /services\`. Its type is one of \`GET /service_types\`; \`?embed=extended_setting_formats\` tells the settings of each. The address has no \`http://\`: the type says it.
3. Watch it: \`GET /services/{_id}?embed=status\`. Within seconds there is a first analysis: \`GET /services/{_id}/history/analyses/last_analysis/checks\`, and of a failed check why it failed (\`…/checks/{_sensor_id}/details\`) and what it met (\`…/artifacts\`).
4. Be told: \`POST /notification_addresses\`. Where people register themselves, a code goes to the address; bring it to \`POST /notification_addresses/{_id}/confirm\`. Until then \`is_confirmed\` is false, and the address is told nothing.

From a terminal:

\`\`\`sh
API=${baseUrl}
curl -u user:PASSWORD "$API/services" -H 'Content-Type: application/json' \\
  -d '{"name": "My page", "type_id": "https", "address": "www.example.com/", "interval": 60}'
\`\`\`

<details>
<summary>Every day</summary>

| to do | how |
|---|---|
| share a group | \`PUT /groups/{_id}/shares/{_account_id}\` \`{"can_modify_services": true}\`. The other account reads its number as \`id\` in \`GET /accounts/my_account\`, and sees the group at once. An administrator makes accounts (\`POST /admin/accounts\`, \`latarnik account create\`); \`POST /accounts\` makes sub-accounts of your own. |
| suspend | once: \`POST /suspensions\` \`{"service_id": 1, "end_time": "2030-12-24T10:00:00Z"}\`, from now on unless \`start_time\` says otherwise; every week: \`POST /weekly_suspensions\`. With \`only_notifications\` checks go on, in silence. |
| correct | \`POST /corrections\` \`{"service_id": 1, "start_time": -7200, "end_time": -3600, "status": "ok"}\`. The service level, the availability chart and reports follow it; what was checked stays. |
| report | \`POST /report_templates\` \`{"name": "Shop", "requested_scope": {"services": {"all": true}}}\`, then \`POST /reports\` \`{"template_id": 1, "from": -604800, "to": -1}\`, and after some seconds \`GET /reports/{_id}/pdf\`. By itself, and by mail: \`reporting_plan_ids\` and \`email_addresses\` of the template. |
| check from elsewhere | The operator runs \`latarnik sensor add\` and starts the station with the token; name it in \`sensor_ids\` of a service, or in \`assigned_sensor_ids\` of a group. |
| choose language and time zone of mails and reports | \`PUT /accounts/my_account\` \`{"language_id": "en", "time_zone_id": "europe_london"}\` |

</details>

<details>
<summary>Logging in</summary>

| way | how |
|---|---|
| Basic | \`Authorization: Basic …\` with every call; not for accounts with a second factor |
| Session | \`POST /sessions\` with username and password (and \`code\`) gives a token, once; then \`Authorization: Bearer TOKEN\`. Each call prolongs it. |
| OAuth 2.0 | \`/oauth/authorize\` and \`/oauth/token\`: code with PKCE (S256); implicit for the clients that declare it; clients are entered by the operator |

Administrators call \`/admin/…\` and \`/system/state\` and nothing of customers; customers nothing of theirs. \`my_account\`, \`my_default_group\`, \`my_session\` and so on stand for one's own.

</details>

<details>
<summary>Reading lists</summary>

| parameter | example | means |
|---|---|---|
| a field | \`type_id=http\`, \`type_id=http&type_id=https\`, \`is_active=true\` | equal, without regard to case; repeated: any of them; different fields: all of them |
| a field with \`.contains\` | \`name.contains=shop\` | contains; \`name~=shop\` is the same |
| a field of what can be embedded | \`status.summary=failure\`, \`permissions.update=true\` | likewise, embedded or not |
| \`query\` | \`query=shop\` | any of the main fields contains it |
| \`sort\` | \`sort=-status.summary,name\` | \`-\` for descending |
| \`limit\`, \`offset\` | \`limit=100&offset=200\` | a page: ${pageSize} by default, ${longestPage} at most; \`X-Total-Count\` tells how many there are |
| \`fields\` | \`fields=id,name\` | these only |
| \`embed\` | \`embed=status,group.name\` | adds related objects, or some of their fields; null where you may not read them |
| \`from\`, \`to\` | \`from=-86400\` | range of a history: \`from\` inclusive, \`to\` exclusive |

To hear of changes as they happen, read \`GET /event_stream\`; administrators see in \`GET /system/installation\` how well the installation itself works.

\`POST /…/search\` takes the same as a JSON body, with the filters under \`filters\`: \`{"filters": {"type_id": ["http", "https"]}, "limit": 100}\`.

Moments are RFC 3339 with an offset (\`2026-11-21T12:13:00+01:00\`), Unix seconds, or negative seconds before now (\`-3600\`). Answers have them in UTC and whole seconds.

An \`ETag\` sent back as \`If-None-Match\` is answered 304 without a body while nothing changed. Sent as \`If-Match\` with a \`PUT\` or \`DELETE\` of the same object, it is answered 412 when somebody has changed the object since. \`HEAD\` is \`GET\` without the body.

</details>

<details>
<summary>Writing</summary>

\`POST\` creates (201, \`id\`, \`Location\`), \`PUT\` changes (204) any subset of the fields, \`DELETE\` removes (204). What an object that was read holds may be sent back whole. \`GET …/permissions\` tells what you may do with an object.

</details>

<details>
<summary>Errors</summary>

An array with every problem of the request at once; the first three digits of \`code\` are the status:

\`\`\`json
[{"code": 4222064, "error": "incorrect_value", "field": "data.type_id", "message": "This value is not allowed. Allowed: http, https, …."}]
\`\`\`

\`error\` is for programs and never changes, \`field\` points to the fault (\`query.limit\`, \`data.ids[2]\`), \`message\` is for people, in Polish or English by \`Accept-Language\`; \`description\`, in Polish, is for developers.

| status | what to do |
|---|---|
| 400, 413, 415, 422 | mend the request: each problem says what is expected |
| 401 | log in; the message tells what was wrong with the credentials |
| 403 | you may see it, but not do this: \`GET …/permissions\` |
| 404 | there is no such object or path, or you may not see it |
| 405 | \`Allow\` names the methods that there are |
| 429, 503 | wait for \`Retry-After\` seconds |
| 500 | a fault of the server; the message has the number of the request, which its log knows |

</details>

<details>
<summary>Limits</summary>

Requests a minute for each account, failed logins for each address and username, and analyses asked for of each service are limited by the operator (429). What an account may have is its package: \`GET /packages/my_package\`, \`GET /groups/{_id}/available_service_types\`. Bodies have ${bodyKibibytes} KiB at most; a list of analyses covers 40 days at most.

</details>`
