import type { GuideText } from '../catalogue.ts'

export const guide: GuideText = ({ baseUrl, pageSize, longestPage, bodyKibibytes }) => `<div lang="pl">

Sensory w wielu miejscach sprawdzają każdą usługę w tej samej chwili; rundę (analizę) rozstrzyga kworum, zmienia ona stan, zostaje w historii i zawiadamia.

## Pierwsze kroki

1. Naciśnij **Authorize** powyżej: *basic* przyjmuje nazwę użytkownika i hasło, które wypisał pierwszy start; *oauth* otwiera formularz logowania. Przycisk **Execute** przy operacji wywołuje ten serwer.
2. Załóż usługę: \`POST /services\`. Jej typ to jeden z \`GET /service_types\`; \`?embed=extended_setting_formats\` mówi, jakie ustawienia ma każdy z nich. Adres nie ma \`http://\`: mówi to typ.
3. Obserwuj ją: \`GET /services/{_id}?embed=status\`. Po kilku sekundach jest pierwsza analiza: \`GET /services/{_id}/history/analyses/last_analysis/checks\`, a przy nieudanym sprawdzeniu także powód (\`…/checks/{_sensor_id}/details\`) i to, co zastało (\`…/artifacts\`).
4. Odbieraj powiadomienia: \`POST /notification_addresses\`. Tam, gdzie konta zakłada się samemu, na adres przychodzi kod; podaj go w \`POST /notification_addresses/{_id}/confirm\`. Do tego czasu \`is_confirmed\` ma wartość false i na adres nic nie przychodzi.

Z terminala:

\`\`\`sh
API=${baseUrl}
curl -u user:PASSWORD "$API/services" -H 'Content-Type: application/json' \\
  -d '{"name": "Moja strona", "type_id": "https", "address": "www.example.com/", "interval": 60}'
\`\`\`

Opisy poszczególnych operacji są po angielsku.

<details>
<summary>Na co dzień</summary>

| co zrobić | jak |
|---|---|
| udostępnić grupę | \`PUT /groups/{_id}/shares/{_account_id}\` \`{"can_modify_services": true}\`. Drugie konto odczyta swój numer jako \`id\` w \`GET /accounts/my_account\` i od razu widzi grupę. Konta zakłada administrator (\`POST /admin/accounts\`, \`latarnik account create\`); \`POST /accounts\` zakłada własne subkonta. |
| zawiesić | raz: \`POST /suspensions\` \`{"service_id": 1, "end_time": "2030-12-24T10:00:00Z"}\`, od teraz, jeśli \`start_time\` nie mówi inaczej; co tydzień: \`POST /weekly_suspensions\`. Z \`only_notifications\` sprawdzanie trwa, w ciszy. |
| skorygować | \`POST /corrections\` \`{"service_id": 1, "start_time": -7200, "end_time": -3600, "status": "ok"}\`. Idą za tym poziom usług, wykres dostępności i raporty; to, co sprawdzono, zostaje. |
| zrobić raport | \`POST /report_templates\` \`{"name": "Shop", "requested_scope": {"services": {"all": true}}}\`, potem \`POST /reports\` \`{"template_id": 1, "from": -604800, "to": -1}\`, a po kilku sekundach \`GET /reports/{_id}/pdf\`. Sam z siebie, i pocztą: \`reporting_plan_ids\` oraz \`email_addresses\` szablonu. |
| sprawdzać z innego miejsca | Operator wywołuje \`latarnik sensor add\` i uruchamia sensor z tokenem; wymień go w \`sensor_ids\` usługi albo w \`assigned_sensor_ids\` grupy. |
| wybrać język i strefę czasową wiadomości i raportów | \`PUT /accounts/my_account\` \`{"language_id": "en", "time_zone_id": "europe_london"}\` |

</details>

<details>
<summary>Logowanie</summary>

| sposób | jak |
|---|---|
| Basic | \`Authorization: Basic …\` przy każdym wywołaniu; nie dla kont z logowaniem dwuetapowym |
| Sesja | \`POST /sessions\` z nazwą użytkownika i hasłem (oraz \`code\`) daje token, jeden raz; potem \`Authorization: Bearer TOKEN\`. Każde wywołanie ją przedłuża. |
| OAuth 2.0 | \`/oauth/authorize\` i \`/oauth/token\`: kod z PKCE (S256); implicit dla aplikacji, które to deklarują; aplikacje wpisuje operator |

Administratorzy wywołują \`/admin/…\` i \`/system/state\`, a nic z zasobów klientów; klienci nic z ich zasobów. \`my_account\`, \`my_default_group\`, \`my_session\` i podobne oznaczają to, co własne.

</details>

<details>
<summary>Czytanie list</summary>

| parametr | przykład | znaczenie |
|---|---|---|
| pole | \`type_id=http\`, \`type_id=http&type_id=https\`, \`is_active=true\` | równe, bez względu na wielkość liter; powtórzone: którekolwiek; różne pola: wszystkie |
| pole z \`.contains\` | \`name.contains=shop\` | zawiera; \`name~=shop\` znaczy to samo |
| pole tego, co można osadzić | \`status.summary=failure\`, \`permissions.update=true\` | tak samo, osadzone lub nie |
| \`query\` | \`query=shop\` | zawiera je którekolwiek z głównych pól |
| \`sort\` | \`sort=-status.summary,name\` | \`-\` oznacza malejąco |
| \`limit\`, \`offset\` | \`limit=100&offset=200\` | strona: domyślnie ${pageSize}, najwyżej ${longestPage}; \`X-Total-Count\` mówi, ile jest wszystkich |
| \`fields\` | \`fields=id,name\` | tylko te pola |
| \`embed\` | \`embed=status,group.name\` | dodaje powiązane obiekty albo niektóre ich pola; null tam, gdzie nie wolno ich czytać |
| \`from\`, \`to\` | \`from=-86400\` | zakres historii: \`from\` włącznie, \`to\` wyłącznie |

O zmianach na bieżąco mówi \`GET /event_stream\`; administratorzy widzą w \`GET /system/installation\`, jak działa sama instalacja.

\`POST /…/search\` przyjmuje to samo jako treść JSON, z filtrami w \`filters\`: \`{"filters": {"type_id": ["http", "https"]}, "limit": 100}\`.

Chwile to RFC 3339 z przesunięciem (\`2026-11-21T12:13:00+01:00\`), sekundy uniksowe albo ujemne sekundy przed teraz (\`-3600\`). W odpowiedziach są w UTC i w pełnych sekundach.

\`ETag\` odesłany jako \`If-None-Match\` daje 304 bez treści, póki nic się nie zmieniło. Odesłany jako \`If-Match\` z \`PUT\` albo \`DELETE\` tego obiektu daje 412, gdy ktoś go w międzyczasie zmienił. \`HEAD\` to \`GET\` bez treści.

</details>

<details>
<summary>Zapisywanie</summary>

\`POST\` tworzy (201, \`id\`, \`Location\`), \`PUT\` zmienia (204) dowolny podzbiór pól, \`DELETE\` usuwa (204). To, co odczytano, można odesłać w całości. \`GET …/permissions\` mówi, co wolno zrobić z obiektem.

</details>

<details>
<summary>Błędy</summary>

Tablica wszystkich problemów żądania naraz; trzy pierwsze cyfry \`code\` to status:

\`\`\`json
[{"code": 4222064, "error": "incorrect_value", "field": "data.type_id", "message": "Ta wartość jest niedozwolona. Dozwolone: http, https, …."}]
\`\`\`

\`error\` jest dla programów i nigdy się nie zmienia, \`field\` wskazuje błąd (\`query.limit\`, \`data.ids[2]\`), \`message\` jest dla ludzi, po polsku lub angielsku według \`Accept-Language\`; \`description\`, po polsku, jest dla programistów.

| status | co zrobić |
|---|---|
| 400, 413, 415, 422 | popraw żądanie: każdy problem mówi, czego oczekiwano |
| 401 | zaloguj się; komunikat mówi, co było nie tak |
| 403 | wolno Ci to widzieć, ale nie zrobić: \`GET …/permissions\` |
| 404 | nie ma takiego obiektu ani ścieżki albo nie wolno Ci ich widzieć |
| 405 | \`Allow\` wymienia metody, które są |
| 429, 503 | poczekaj tyle sekund, ile mówi \`Retry-After\` |
| 500 | błąd serwera; w komunikacie jest numer żądania, który zna jego dziennik |

</details>

<details>
<summary>Ograniczenia</summary>

Operator ogranicza liczbę żądań konta na minutę, nieudanych logowań z adresu i na nazwę użytkownika oraz wymuszonych analiz usługi (429). Ile może mieć konto, mówi jego pakiet: \`GET /packages/my_package\`, \`GET /groups/{_id}/available_service_types\`. Treść żądania ma najwyżej ${bodyKibibytes} KiB; lista analiz obejmuje najwyżej 40 dni.

</details>

</div>`
