import type { ProblemSymbol } from '../../domain/problem-codes.ts'
import type { ProblemTexts } from '../catalogue.ts'

export const problems: ProblemTexts = {
  users: {
    incorrect_json: [
      'Treść zapytania przestaje być JSON-em w wierszu {line}, kolumnie {column}.',
      'Treść zapytania nie jest poprawnym JSON-em w UTF-8, zagnieżdżonym najwyżej na głębokość {depth}.',
      'Treść zapytania nie jest poprawnym JSON-em.',
    ],
    malformed_request: ['Zapytanie nie jest poprawnym HTTP.'],
    missing_credentials: ['Zaloguj się, aby z tego skorzystać: nazwą użytkownika i hasłem albo tokenem sesji.'],
    incorrect_credentials: ['Nazwa użytkownika lub hasło są nieprawidłowe.'],
    session_expired: ['Sesja się zakończyła. Zaloguj się ponownie.'],
    second_factor_required: ['Najpierw potwierdź logowanie kodem drugiego składnika.'],
    forbidden: ['Nie masz uprawnień do tej operacji.'],
    account_not_activated: ['Konto nie jest jeszcze aktywne. Otwórz odnośnik z listu aktywacyjnego.'],
    account_blocked: ['Konto jest zablokowane. Skontaktuj się z administratorem.'],
    ip_address_not_allowed: [
      'Twojego adresu {address} nie ma na liście adresów, z których można korzystać z tego konta.',
      'Twojego adresu nie ma na liście adresów, z których można korzystać z tego konta.',
    ],
    cross_site_request: ['Zapytanie wysłała strona innej witryny, z hasłem zapamiętanym przez przeglądarkę.'],
    not_found: [
      'Pod adresem {path} niczego nie ma. Co jest: {documentation}.',
      'Nie ma takiego obiektu albo nie możesz go zobaczyć.',
    ],
    method_not_allowed: [
      'Metoda {method} nie jest tu dostępna. Dostępne: {allowed}.',
      'Ta metoda nie jest tu dostępna.',
    ],
    payload_too_large: ['Treść zapytania jest większa niż {maximum} B.', 'Treść zapytania jest za duża.'],
    unsupported_media_type: ['Treść zapytania musi być JSON-em (Content-Type: application/json).'],
    range_not_satisfiable: ['Nie ma takich bajtów: treść ma ich {size}.', 'Nie ma takich bajtów.'],
    incorrect_value: [
      'Nie ma tu parametru {parameter}. Są: {parameters}.',
      'Ta wartość jest niedozwolona. Dozwolone: {allowed}.',
      'Ta wartość jest niedozwolona.',
    ],
    incorrect_type: ['Wartość ma niewłaściwy typ, oczekiwany typ: {expected}.', 'Wartość ma niewłaściwy typ.'],
    missing_value: ['Wartość jest wymagana.'],
    unknown_field: ['Nie ma tu pola {name}. Są: {known}.', 'Nie ma takiego pola.'],
    value_too_long: [
      'Wartość jest za długa, największa długość w znakach lub elementach: {maximum}.',
      'Wartość jest za długa.',
    ],
    value_too_short: ['Wartość jest za krótka, najmniejsza długość w znakach: {minimum}.', 'Wartość jest za krótka.'],
    value_out_of_range: [
      'Wartość musi mieścić się między {minimum} a {maximum}.',
      'Wartość nie może być mniejsza niż {minimum}.',
      'Wartość nie może być większa niż {maximum}.',
      'Wartość jest poza zakresem.',
    ],
    value_is_not_unique: ['Ta wartość jest już zajęta.'],
    field_is_immutable: ['Tego pola nie można zmienić.'],
    field_is_read_only: ['To pole ustawia serwis, nie można go przesłać.'],
    limit_exceeded: ['Osiągnięto limit {limit}: {value}.', 'Osiągnięto limit {limit}.', 'Osiągnięto limit.'],
    interval_too_short: [
      'Częstotliwość jest za mała, najkrótszy odstęp w sekundach: {minimum}.',
      'Odstęp między analizami jest krótszy, niż pozwala pakiet.',
    ],
    force_limit_exceeded: [
      'Zbyt wiele wymuszonych analiz tej usługi, najwięcej: {value} na {period}.',
      'Zbyt wiele wymuszonych analiz tej usługi. Spróbuj później.',
    ],
    service_is_archived: ['Usługa jest zarchiwizowana: można tylko czytać jej historię. Najpierw ją przywróć.'],
    service_is_not_archived: ['Usługa nie jest zarchiwizowana.'],
    no_sms_address: ['Nie ma tu numeru telefonu, na który można wysłać SMS.'],
    report_in_progress: ['Raport jest w trakcie tworzenia. Poczekaj na jego ukończenie.'],
    default_group_cannot_be_deleted: ['Grupy domyślnej nie można usunąć.'],
    sensor_not_available: [
      'Sensor {sensor_id} nie istnieje albo nie może tego obsłużyć.',
      'Sensor nie istnieje albo nie może tego obsłużyć.',
    ],
    channel_not_available: [
      'Pakiet nie obejmuje kanału powiadomień {channel_id}.',
      'Pakiet nie obejmuje tego kanału powiadomień.',
    ],
    service_type_not_available: [
      'Pakiet nie obejmuje typu usługi {service_type_id} albo jest on w pełni wykorzystany.',
      'Pakiet nie obejmuje tego typu usługi albo jest on w pełni wykorzystany.',
    ],
    second_factor_is_on: ['Drugi składnik jest już włączony.'],
    second_factor_is_off: ['Drugi składnik nie jest ustawiony.'],
    test_sms_limit_exceeded: [
      'Zbyt wiele wiadomości próbnych, najwięcej {value} na {period}.',
      'Zbyt wiele wiadomości próbnych.',
    ],
    diagnostic_limit_exceeded: [
      'Zbyt wiele diagnostyk, najwięcej {value} na {period}.',
      'Zbyt wiele diagnostyk naraz, najwięcej: {value}. Poczekaj, aż któraś się skończy.',
      'Zbyt wiele diagnostyk. Spróbuj później.',
    ],
    too_many_settings: ['Zbyt wiele ustawień, najwięcej: {maximum}.', 'Zbyt wiele ustawień.'],
    too_many_requests: [
      'Zbyt wiele zapytań. Spróbuj ponownie za {retry_after} s.',
      'Zbyt wiele zapytań. Spróbuj później.',
    ],
    internal_error: [
      'Coś poszło nie tak po naszej stronie. Numer zapytania: {request_id}.',
      'Coś poszło nie tak po naszej stronie.',
    ],
    service_unavailable: [
      'Serwis jest chwilowo niedostępny. Spróbuj ponownie za {retry_after} s.',
      'Serwis jest chwilowo niedostępny. Spróbuj ponownie za chwilę.',
    ],
  },
  details: {
    accepted_statuses: 'Oczekiwane są kody statusu HTTP i zakresy oddzielone przecinkami, na przykład 200-299,304.',
    request_headers:
      'Oczekiwane są wiersze „Nazwa: wartość”; Content-Length i Transfer-Encoding ustawia samo sprawdzenie.',
    domain_name: 'Oczekiwana jest nazwa domeny, na przykład www.example.com.',
    scenario: 'Oczekiwane jest nagranie w formacie JSON rejestratora przeglądarki, z co najmniej jednym krokiem.',
    scenario_custom_step:
      'Kroku rozszerzenia nie da się tu odtworzyć. Zastąp go krokami samego rejestratora przeglądarki.',
    scenario_key: 'Oczekiwany jest jeden znak albo nazwa klawisza, na przykład Enter, Tab, ArrowDown, KeyA.',
    scenario_secret: 'Odwołanie do sekretu, którego nie ma wśród sekretów tej usługi.',
    scenario_url: 'Oczekiwany jest adres http lub https albo adres względem adresu usługi.',
    secrets: 'Oczekiwane są wiersze „nazwa=wartość”, każdy z inną nazwą; nazwy z liter, cyfr i znaku _.',
    regular_expression_size:
      'Oczekiwane jest mniejsze wyrażenie regularne: powtórzenia, takie jak {1000}, mnożą jego rozmiar.',
    regular_expression:
      'Oczekiwane jest wyrażenie regularne o składni RE2 (bez odwołań wstecznych i warunków na otoczenie).',
    forbidden_characters: 'Wartość zawiera niedozwolone tu znaki.',
    address_protocol: 'Adres ma inny protokół niż typ usługi: pomiń protokół albo wybierz inny typ.',
    address_characters: 'Adres nie może zawierać odstępów, ukośników wstecznych ani znaków sterujących.',
    address_host:
      'Oczekiwana jest nazwa hosta albo adres IP (IPv6 w nawiasach), na przykład www.example.com lub [2001:db8::1].',
    address_port: 'Port to liczba od 1 do 65535.',
    address_port_missing: 'Oczekiwane są host i port, na przykład example.com:22 lub [2001:db8::1]:22.',
    address_ipv4_only: 'To adres IPv4, a usługi tego typu są sprawdzane wyłącznie przez IPv6.',
    address_host_only: 'Oczekiwana jest sama nazwa hosta albo sam adres IP, bez portu i ścieżki.',
    whitelist_without_caller: 'Nie ma wśród nich adresu, z którego przychodzi to zapytanie: odcięłoby to Ciebie.',
    kept_secret:
      'Podano je dla innego adresu lub scenariusza i nikomu się go nie pokazuje: podaj je ponownie albo null, aby się bez niego obyć.',
    group: 'Nie ma takiej grupy albo nie możesz jej zobaczyć.',
    group_of_owner: 'To, co jest w grupie, można przenieść tylko do innej grupy tego samego właściciela.',
    moment:
      'Oczekiwana jest chwila z odstępem od UTC, na przykład 2026-11-21T12:13:00+01:00, sekundy uniksowe albo ujemna liczba sekund wstecz.',
    end_after_start: 'Koniec musi być późniejszy niż początek.',
    weekly_range: 'Koniec zakresu tygodniowego nie może być jego początkiem.',
  },
}

/** For developers of clients, always in Polish (specification: Errors, `description`). */
export const developers: Readonly<Record<ProblemSymbol, string>> = {
  incorrect_json: 'Treści zapytania nie udało się odczytać jako JSON.',
  malformed_request: 'Zapytanie narusza HTTP: zły wiersz żądania, nagłówki albo kodowanie adresu.',
  missing_credentials: 'Brak nagłówka Authorization (Basic albo Bearer).',
  incorrect_credentials:
    'Zły login lub hasło, nieznany użytkownik, nieznany token albo Basic przy włączonym uwierzytelnianiu dwuskładnikowym.',
  session_expired: 'Token był prawidłowy, ale sesja wygasła; utwórz nową przez POST /sessions.',
  second_factor_required: 'Sesja czeka na kod drugiego składnika; zob. POST /sessions/{_id}/2fa/verify.',
  forbidden: 'Obiekt jest widoczny, ale operacja wymaga uprawnienia, którego brak; zob. podzasób /permissions.',
  account_not_activated: 'Dane logowania są prawidłowe, konto czeka na aktywację.',
  account_blocked: 'Dane logowania są prawidłowe, konto zablokował administrator.',
  ip_address_not_allowed: 'Adres klienta nie pasuje do ip_whitelist w user_data.',
  cross_site_request:
    'Przeglądarka mówi, że POST z Basic pochodzi z innej witryny; program z innej witryny używa tokena albo Content-Type: application/json.',
  not_found: 'Nieznana ścieżka albo obiekt nie istnieje lub nie jest widoczny dla wywołującego.',
  method_not_allowed: 'Ścieżka jest znana, ale nie obsługuje tej metody; zob. nagłówek Allow.',
  payload_too_large: 'Treść zapytania przekracza największy dozwolony rozmiar.',
  unsupported_media_type: 'Nagłówek Content-Type jest inny niż application/json.',
  range_not_satisfiable: 'Nagłówek Range wskazuje bajty spoza treści; zob. nagłówek Content-Range.',
  incorrect_value: 'Wartość ma dobry typ, ale jest spoza dozwolonych.',
  incorrect_type: 'Wartość ma zły typ JSON albo parametru nie da się na niego zamienić.',
  missing_value: 'Brak wymaganego pola, albo ma ono wartość null lub pustą.',
  unknown_field: 'Pole nie należy do tego zasobu.',
  value_too_long: 'Tekst lub tablica przekracza największą długość.',
  value_too_short: 'Tekst lub tablica nie osiąga najmniejszej długości.',
  value_out_of_range: 'Liczba lub chwila jest poza dozwolonym zakresem.',
  value_is_not_unique: 'Inny obiekt ma już tę wartość.',
  field_is_immutable: 'Pola nie można zmienić po utworzeniu obiektu; przesłanie bieżącej wartości jest dozwolone.',
  field_is_read_only: 'Pole wylicza serwis; nie przyjmuje się go na wejściu.',
  limit_exceeded: 'Operacja przekroczyłaby limit pakietu albo ogólny limit liczby takich obiektów.',
  test_sms_limit_exceeded: 'Konto wysłało w ostatniej godzinie tyle próbnych SMS-ów, ile wolno.',
  interval_too_short: 'interval jest mniejszy niż minimum_interval pakietu lub typu usługi.',
  force_limit_exceeded: 'Przekroczono minutowy, godzinny albo dobowy limit wymuszonych analiz usługi.',
  service_is_archived: 'Usługa ma is_archived = true i nie przyjmuje zmian; zob. POST /services/{_id}/restore.',
  service_is_not_archived: 'POST /services/{_id}/restore wymaga usługi z is_archived = true.',
  no_sms_address:
    'Żaden adres powiadomień obiektu nie ma notification_channel_id = sms (dla usługi: kanał sms musi być włączony).',
  report_in_progress: 'Raport o statusie in_progress nie może zostać usunięty ani pobrany.',
  default_group_cannot_be_deleted: 'Każde konto ma dokładnie jedną grupę domyślną, której nie można usunąć.',
  sensor_not_available: 'Sensor nie istnieje albo nie należy do wymaganej kategorii.',
  channel_not_available: 'Kanału nie ma w available_notification_channel_ids pakietu.',
  service_type_not_available: 'Typu nie ma w available_service_types pakietu albo remaining_services wynosi 0.',
  second_factor_is_on:
    'Nie można ustawiać drugiego składnika, dopóki jest włączony; najpierw POST /accounts/{_id}/2fa/disable.',
  second_factor_is_off: 'Operacja wymaga drugiego składnika ustawionego przez POST /accounts/{_id}/2fa/setup.',
  diagnostic_limit_exceeded: 'Przekroczono liczbę diagnostyk trwających naraz albo przechowywanych przez dobę.',
  too_many_settings: 'Osiągnięto największą liczbę ustawień użytkownika.',
  too_many_requests: 'Przekroczono limit liczby zapytań; zob. nagłówek Retry-After.',
  internal_error: 'Nieoczekiwany błąd serwera; zapisano go w dzienniku pod numerem zapytania.',
  service_unavailable: 'Baza danych jest nieosiągalna; zob. nagłówek Retry-After.',
}
