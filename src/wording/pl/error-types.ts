import type { ErrorTypeText, ErrorTypeTexts } from '../error-type-text.ts'

function text(name: string, description: string, diagnosis: string): ErrorTypeText {
  return { name, description, diagnosis }
}

export const errorTypesPl: ErrorTypeTexts = {
  name_not_found: text(
    'Nazwa hosta nie istnieje',
    'System nazw domenowych nie zna takiej nazwy (NXDOMAIN).',
    'W nazwie jest literówka, jej rekord został usunięty albo domena wygasła. Sprawdź adres usługi, a potem rejestrację domeny i jej strefę DNS.',
  ),
  name_without_address: text(
    'Nazwa hosta nie ma adresu',
    'Nazwa istnieje, ale nie ma ani adresu IPv4, ani IPv6.',
    'W strefie DNS brakuje rekordu A lub AAAA. Dodaj go albo popraw nazwę w adresie usługi.',
  ),
  name_without_ipv6_address: text(
    'Nazwa hosta nie ma adresu IPv6',
    'Ta usługa jest sprawdzana tylko przez IPv6, a nazwa nie ma rekordu AAAA.',
    'Dodaj rekord AAAA do strefy DNS albo użyj typu usługi bez IPv6.',
  ),
  name_server_failure: text(
    'DNS nie potrafi odpowiedzieć o nazwie',
    'Serwery nazw domeny nie dają użytecznej odpowiedzi (SERVFAIL).',
    'Serwery nazw domeny nie działają, delegacja wskazuje niewłaściwe serwery albo podpisy DNSSEC są błędne lub wygasły. Zapytaj osobę, która prowadzi strefę DNS.',
  ),
  name_refused: text(
    'DNS odmawia odpowiedzi o nazwie',
    'Serwer nazw odmówił odpowiedzi (REFUSED).',
    'Domena jest delegowana do serwerów, które jej nie obsługują, albo pytanie jest blokowane po drodze. Sprawdź delegację domeny.',
  ),
  name_timeout: text(
    'DNS nie odpowiada o nazwie',
    'Odpowiedź o tej nazwie nie nadeszła na czas, choć o innych nazwach nadchodzą.',
    'Serwery nazw tej domeny są przeciążone lub nieosiągalne. Sprawdź je oraz sieć między nimi a światem.',
  ),
  address_invalid: text(
    'Nie można zrozumieć adresu',
    'Adres usługi nie jest poprawnym hostem, portem ani adresem strony.',
    'Popraw adres usługi: nazwy hostów składają się z liter, cyfr, kropek i łączników, a porty to liczby od 1 do 65535.',
  ),
  address_refused: text(
    'Prowadzi do niepublicznego adresu',
    'Strona jest w internecie, ale kieruje odwiedzających do adresu prywatnego, lokalnego lub zastrzeżonego.',
    'Takiego adresu nikt w internecie nie osiągnie. Popraw przekierowanie, odnośnik na stronie albo rekord DNS, do którego prowadzi.',
  ),
  address_not_ipv6: text(
    'To nie jest adres IPv6',
    'Ta usługa jest sprawdzana tylko przez IPv6, a jego adres to adres IPv4.',
    'Podaj adres IPv6 lub nazwę hosta albo użyj typu usługi bez IPv6.',
  ),

  connection_refused: text(
    'Połączenie odrzucone',
    'Host odpowiada, ale nic nie nasłuchuje na tym porcie.',
    'Program serwera przestał działać, nasłuchuje na innym porcie lub adresie albo połączenie odrzuca zapora. Sprawdź, czy program działa i na którym porcie nasłuchuje.',
  ),
  connection_timeout: text(
    'Brak odpowiedzi na połączenie',
    'Host nie odpowiedział na czas na próbę połączenia.',
    'Maszyna jest wyłączona lub przeciążona, zapora po cichu odrzuca pakiety albo sieć po drodze jest zepsuta. Porównaj wyniki kilku stacji, aby znaleźć miejsce awarii.',
  ),
  host_unreachable: text(
    'Host nieosiągalny',
    'Router po drodze zgłosił, że hosta nie można osiągnąć.',
    'Maszyna lub jej sieć nie działa albo jej adres nie jest już trasowany. Sprawdź host, a potem zapytaj jego dostawcę.',
  ),
  connection_reset: text(
    'Połączenie zerwane',
    'Połączenie zostało zerwane w trakcie nawiązywania.',
    'Zapora, ochrona przed atakami lub przeciążony serwer kończy nowe połączenia. Zajrzyj do dzienników serwera i tego, co stoi przed nim.',
  ),
  connection_failed: text(
    'Połączenie nieudane',
    'Połączenia nie udało się nawiązać z nietypowego powodu, podanego w komunikacie.',
    'Zobacz techniczny komunikat sprawdzenia; jest to odpowiedź systemu operacyjnego.',
  ),

  udp_no_answer: text(
    'Brak odpowiedzi UDP',
    'Z portu nic nie wróciło, chociaż datagram wysłano dwa razy.',
    'Sprawdź, czy usługa działa, czy zapora przepuszcza UDP w obie strony i czy usługa odpowiada na wysyłany tekst.',
  ),

  tls_timeout: text(
    'Uzgadnianie TLS utknęło',
    'Serwer przyjął połączenie, ale nie dokończył uzgadniania TLS na czas.',
    'Serwer jest przeciążony albo jego część TLS się zawiesiła. Uruchom go ponownie i sprawdź, czy ma dość pamięci i wątków.',
  ),
  tls_not_spoken: text(
    'Serwer nie mówi w TLS',
    'To, co wysłał serwer, nie jest protokołem TLS.',
    'Na tym porcie nasłuchuje inny protokół: często zwykły HTTP zamiast HTTPS. Sprawdź port i ustawienia TLS serwera.',
  ),
  tls_protocol_version: text(
    'Zbyt stara wersja TLS',
    'Serwer oferuje tylko te wersje TLS, które dzisiejsze przeglądarki odrzucają.',
    'Włącz na serwerze TLS 1.2 i 1.3, a wyłącz TLS 1.0 i 1.1.',
  ),
  tls_handshake_refused: text(
    'Uzgadnianie TLS odrzucone',
    'Serwer zakończył uzgadnianie: nie ma szyfru, który przyjmują obie strony, albo żąda certyfikatu klienta.',
    'Sprawdź listę szyfrów i certyfikaty serwera oraz to, czy prosi o certyfikaty klientów.',
  ),
  tls_client_certificate_required: text(
    'Wymagany certyfikat klienta',
    'Serwer rozmawia tylko z klientami, którzy okażą certyfikat.',
    'Odwiedzający bez certyfikatu nie wejdą. Jeśli tak ma być, sprawdzaj inny adres albo wpuść stacje bez certyfikatu.',
  ),
  tls_name_unknown: text(
    'Serwer nie zna tej nazwy hosta',
    'Serwer zakończył uzgadnianie, bo nie ma certyfikatu dla żądanej nazwy hosta.',
    'Dodaj tę nazwę do konfiguracji serwera albo popraw rekord DNS, który do niego prowadzi.',
  ),
  tls_closed: text(
    'Połączenie zamknięte podczas TLS',
    'Serwer zamknął połączenie w środku uzgadniania TLS.',
    'Ustawienia TLS serwera są niepełne (brak certyfikatu lub klucza) albo połączenia TLS przecina zapora. Zajrzyj do dziennika błędów serwera.',
  ),
  tls_client_certificate_refused: text(
    'Certyfikat klienta odrzucony',
    'Serwer nie przyjmuje certyfikatu klienta tej usługi.',
    'Sprawdź, czy certyfikat nie wygasł ani nie został unieważniony i czy serwer ufa jego wystawcy. Potem zapisz w ustawieniach nowy certyfikat i klucz.',
  ),
  tls_failed: text(
    'Błąd TLS',
    'Uzgadnianie TLS nie powiodło się z nietypowego powodu, podanego w komunikacie.',
    'Zobacz techniczny komunikat sprawdzenia i dziennik błędów serwera.',
  ),
  certificate_expired: text(
    'Certyfikat wygasł',
    'Minęła data ważności certyfikatu serwera lub któregoś w jego łańcuchu.',
    'Przeglądarki zamiast strony pokazują ostrzeżenie. Odnów certyfikat, zainstaluj go i przeładuj serwer, a potem sprawdź, dlaczego nie zadziałało automatyczne odnawianie.',
  ),
  certificate_not_yet_valid: text(
    'Certyfikat jeszcze nie obowiązuje',
    'Początek ważności certyfikatu serwera leży w przyszłości.',
    'Zainstaluj certyfikat ważny teraz i sprawdź zegar maszyny, która go wystawiła.',
  ),
  certificate_wrong_host: text(
    'Certyfikat dla innego hosta',
    'Certyfikat jest ważny, ale nie dla tej nazwy hosta.',
    'Wystaw certyfikat, który zawiera tę nazwę, albo popraw konfigurację serwera, aby wybierał właściwy.',
  ),
  certificate_self_signed: text(
    'Certyfikat podpisany przez siebie',
    'Certyfikat podpisał się sam, więc nikt za niego nie ręczy.',
    'Zainstaluj certyfikat uznanego urzędu. Jeśli tak ma być, wyłącz w tej usłudze weryfikację certyfikatu.',
  ),
  certificate_intermediate_missing: text(
    'Brak certyfikatu pośredniego',
    'Serwer wysyła swój certyfikat bez tego, który łączy go z uznanym urzędem.',
    'Skonfiguruj pełny łańcuch (często plik o nazwie fullchain lub bundle). Niektóre przeglądarki same znajdują brakującą część, dlatego w nich błędu nie widać.',
  ),
  certificate_issuer_unknown: text(
    'Nieznany urząd certyfikacji',
    'Łańcuch certyfikatów kończy się na urzędzie, którego przeglądarki nie znają.',
    'Zainstaluj certyfikat uznanego urzędu. Przy prywatnym urzędzie wyłącz w tej usłudze weryfikację certyfikatu albo dodaj urząd do stacji.',
  ),
  certificate_revoked: text(
    'Certyfikat został unieważniony',
    'Urząd, który wystawił certyfikat, wycofał go.',
    'Wymień certyfikat od razu i ustal powód unieważnienia: klucz mógł wyciec.',
  ),
  certificate_invalid: text(
    'Certyfikat nie do przyjęcia',
    'Certyfikat nie przechodzi weryfikacji z powodu podanego w komunikacie.',
    'Zobacz techniczny komunikat i wymień certyfikat.',
  ),
  certificate_expires_soon: text(
    'Certyfikat niedługo wygaśnie',
    'Zostało mniej dni, niż wymaga ta usługa.',
    'Wszystko jeszcze działa. Odnów certyfikat przed końcem ważności i sprawdź automatyczne odnawianie.',
  ),

  http_not_spoken: text(
    'Serwer nie mówi w HTTP',
    'To, co wysłał serwer, nie jest odpowiedzią HTTP.',
    'Na tym porcie nasłuchuje inny protokół: często TLS zamiast zwykłego HTTP. Sprawdź port i typ usługi.',
  ),
  http_closed_before_response: text(
    'Zamknięcie bez odpowiedzi',
    'Serwer przyjął żądanie i zamknął połączenie, nie wysyłając ani bajtu.',
    'Program za serwerem się wyłożył lub został zakończony albo żądanie odrzuca jakaś ochrona. Zajrzyj do dzienników aplikacji i serwera WWW.',
  ),
  http_reset_before_response: text(
    'Zerwanie przed odpowiedzią',
    'Serwer zerwał połączenie po otrzymaniu żądania.',
    'Proces się wyłożył, zabrakło mu pamięci lub został zabity albo połączenie przecięła zapora. Zajrzyj do dzienników serwera.',
  ),
  http_headers_incomplete: text(
    'Ucięte nagłówki',
    'Połączenie skończyło się w środku nagłówków odpowiedzi.',
    'Aplikacja lub stojący przed nią serwer pośredniczący wyłożył się podczas odpowiadania. Zajrzyj do jego dzienników.',
  ),
  http_headers_too_large: text(
    'Za duże nagłówki',
    'Nagłówki odpowiedzi są większe, niż przyjmie jakakolwiek przeglądarka (ponad 256 KB).',
    'Poszukaj ciasteczek lub nagłówków, które rosną bez końca.',
  ),
  http_invalid_header: text(
    'Niepoprawny nagłówek',
    'Wiersz nagłówków odpowiedzi łamie reguły, na przykład nie ma dwukropka albo ma przed nim spację.',
    'Przeglądarki odrzucają lub źle czytają taką odpowiedź. Popraw aplikację lub moduł, który pisze ten nagłówek.',
  ),
  http_invalid_content_length: text(
    'Niepoprawna długość treści',
    'Odpowiedź podaje swoją długość dwa razy, jako liczbę ujemną lub nie jako liczbę.',
    'Popraw aplikację lub serwer pośredniczący, który pisze nagłówek Content-Length: powinien to robić tylko jeden z nich.',
  ),
  http_invalid_response: text(
    'Niepoprawna odpowiedź',
    'Odpowiedź łamie reguły HTTP z powodu podanego w komunikacie.',
    'Zobacz techniczny komunikat i popraw aplikację lub serwer pośredniczący, który odpowiada.',
  ),
  http_informational_flood: text(
    'Odpowiedzi tymczasowe bez końca',
    'Serwer wysyła odpowiedzi tymczasowe (100–199), a właściwej nie podaje.',
    'Aplikacja lub serwer pośredniczący utknął w pętli. Uruchom go ponownie i zaktualizuj.',
  ),
  http_unexpected_upgrade: text(
    'Zmiana protokołu bez prośby',
    'Serwer przeszedł na inny protokół (101), choć nikt o to nie prosił.',
    'Adres prowadzi do WebSocketu lub innego punktu, który nie jest stroną, albo serwer pośredniczący jest źle ustawiony. Sprawdź adres.',
  ),
  http2_failed: text(
    'Błąd HTTP/2',
    'Serwer mówi tylko w HTTP/2, a wymiana się urwała.',
    'Zobacz techniczny komunikat; zaktualizuj lub popraw obsługę HTTP/2 w serwerze albo w tym, co stoi przed nim.',
  ),
  http_send_timeout: text(
    'Żądanie nieprzyjęte',
    'Serwer nie przyjął całego żądania na czas.',
    'Serwer lub sieć jest przeciążona albo serwer nie przyjmuje treści tej wielkości.',
  ),
  http_first_byte_timeout: text(
    'Brak odpowiedzi na czas',
    'Serwer przyjął żądanie, ale w dozwolonym czasie nic nie wysłał.',
    'Aplikacja się zawiesiła lub jest przeciążona: sprawdź jej bazę danych, kolejki i usługi, z których korzysta. Jeśli taki czas jest tu zwykły, wydłuż limit czasu usługi.',
  ),
  http_headers_timeout: text(
    'Zbyt wolne nagłówki',
    'Odpowiedź się zaczęła, ale jej nagłówki nie skończyły się na czas.',
    'Aplikacja lub serwer pośredniczący wysyła nagłówki po kawałku i utknął. Zajrzyj do jego dzienników.',
  ),
  http_body_timeout: text(
    'Zbyt wolna strona',
    'Strona zaczęła nadchodzić, ale nie skończyła się na czas.',
    'Strona jest za duża na to łącze, aplikacja zacina się przy jej tworzeniu albo jest to strumień bez końca. Sprawdź fazy sprawdzenia, a jeśli to zwykłe, wydłuż limit czasu.',
  ),
  http_body_truncated: text(
    'Ucięta strona',
    'Połączenie zamknęło się, zanim nadeszła cała strona.',
    'Aplikacja wyłożyła się przy pisaniu strony albo podaje złą długość. Zajrzyj do jej dzienników.',
  ),
  http_body_reset: text(
    'Przerwana strona',
    'Połączenie zostało zerwane w środku strony.',
    'Proces wyłożył się lub został zabity podczas pisania albo serwer pośredniczący przestał na niego czekać. Zajrzyj do dzienników.',
  ),
  http_chunk_invalid: text(
    'Strona w złych kawałkach',
    'Części, w których wysyłana jest strona (chunks), są uszkodzone.',
    'Stronę dzielą naraz aplikacja i serwer pośredniczący albo któryś z nich wpisuje błędy do strumienia. Popraw aplikację lub serwer pośredniczący.',
  ),
  http_decoding_failed: text(
    'Nie można rozpakować strony',
    'Strona jest zapowiedziana jako skompresowana, ale nie daje się rozpakować.',
    'Skompresowana strona jest ucięta, skompresowana dwa razy albo wcale. Sprawdź ustawienia kompresji serwera, aplikacji i pamięci podręcznej.',
  ),
  http_status_not_accepted: text(
    'Nieoczekiwany status',
    'Odpowiedź ma status, którego ta usługa nie przyjmuje.',
    'Zobacz status i stronę. Jeśli jest dobry, dopisz go do przyjmowanych statusów; jeśli to przekierowanie, włącz podążanie za nimi.',
  ),
  http_client_error: text(
    'Odmowa strony (status 4xx)',
    'Serwer odpowiedział, że żądanie jest błędne, zabronione albo prowadzi donikąd.',
    '404: stronę przeniesiono lub usunięto. 401 lub 403: brakuje danych logowania albo stacje są blokowane. 429: za dużo żądań. Popraw adres, dane logowania lub reguły serwera.',
  ),
  http_server_error: text(
    'Błąd serwera (status 5xx)',
    'Serwer odpowiedział, że nie może wykonać swojej pracy.',
    '500: aplikacja zawiodła, zobacz jej dziennik. 502, 504: serwer pośredniczący nie sięga aplikacji. 503: przeciążenie lub przerwa techniczna.',
  ),
  http_redirect_loop: text(
    'Przekierowania w kółko',
    'Przekierowania wracają do adresu, który był już odwiedzony.',
    'Dwie reguły sobie przeczą, często z http na https w aplikacji i z powrotem w serwerze pośredniczącym albo z www i bez www. Popraw jedną z nich.',
  ),
  http_too_many_redirects: text(
    'Za dużo przekierowań',
    'Przekierowań jest więcej, niż pozwala ta usługa.',
    'Skróć łańcuch przekierowań albo podnieś limit usługi, jeśli łańcuch jest zamierzony.',
  ),
  http_redirect_invalid: text(
    'Przekierowanie donikąd',
    'Cel przekierowania nie jest poprawnym adresem strony.',
    'Popraw regułę, która tworzy nagłówek Location: musi prowadzić do adresu http lub https.',
  ),
  token_endpoint_failed: text(
    'Punkt tokenów nie działa',
    'Punkt tokenów OAuth 2.0 był nieosiągalny albo odpowiedział własnym błędem, więc strona nie została zapytana.',
    'Komunikat podaje punkt tokenów i przyczynę. Napraw go albo popraw jego adres; sama monitorowana strona nie była sprawdzana.',
  ),
  token_endpoint_timeout: text(
    'Punkt tokenów nie odpowiada',
    'Punkt tokenów OAuth 2.0 nie wydał tokenu na czas, więc strona nie została zapytana.',
    'Sprawdź, dlaczego punkt tokenów podany w komunikacie działa wolno, albo zwiększ limit czasu sprawdzenia.',
  ),
  token_refused: text(
    'Token odmówiony',
    'Punkt tokenów OAuth 2.0 odrzuca id klienta, sekret albo zakres.',
    'Komunikat podaje przyczynę wskazaną przez sam punkt. Popraw id klienta, sekret lub zakresy w ustawieniach albo klienta w punkcie tokenów.',
  ),
  token_answer_invalid: text(
    'Niepoprawna odpowiedź z tokenem',
    'Punkt tokenów OAuth 2.0 odpowiedział bez tokenu Bearer, którego można użyć.',
    'Sprawdź, czy to adres punktu tokenów i czy wydaje on tokeny Bearer za dane klienta.',
  ),
  content_missing: text(
    'Brak oczekiwanej treści',
    'Strona nadeszła, ale nic na niej nie pasuje do wymaganego wzorca.',
    'Strona pokazuje coś innego, niż powinna: komunikat błędu, przerwę techniczną lub zmienioną treść. Obejrzyj zachowaną stronę; jeśli jest dobra, popraw wzorzec.',
  ),
  content_forbidden: text(
    'Znaleziono zabronioną treść',
    'Coś na stronie pasuje do wzorca, który nie może się pojawić.',
    'Strona pokazuje błąd albo ktoś ją podmienił. Obejrzyj zachowaną stronę; jeśli jest dobra, popraw wzorzec.',
  ),
  assertion_failed: text(
    'Warunek niespełniony',
    'Odpowiedź nie spełnia warunku tej usługi. Komunikat mówi, czego oczekiwano i co przyszło.',
    'Obejrzyj zachowaną odpowiedź. Jeśli jest poprawna, popraw warunek.',
  ),
  assertion_value_missing: text(
    'Brak wartości z warunku',
    'W odpowiedzi nie ma wartości w miejscu, które wskazuje warunek.',
    'Obejrzyj zachowaną odpowiedź: nagłówek, element lub pole może mieć teraz inną nazwę. Jeśli tak, popraw ścieżkę warunku.',
  ),
  body_not_json: text(
    'Treść nie jest JSON-em',
    'Warunek czyta JSON, ale treść jest czymś innym.',
    'Serwer często wysyła wtedy stronę błędu HTML. Obejrzyj zachowaną odpowiedź i logi aplikacji.',
  ),
  body_not_xml: text(
    'Treść nie jest XML-em',
    'Warunek czyta XML, ale treść nie jest poprawnym dokumentem XML.',
    'Serwer często wysyła wtedy stronę HTML lub ucięty dokument. Obejrzyj zachowaną odpowiedź i logi aplikacji.',
  ),
  response_too_slow: text(
    'Zbyt wolna odpowiedź',
    'Strona nadeszła w całości, ale później, niż pozwala ta usługa.',
    'Użytkownicy czekają za długo. Zobacz, w której fazie ginie czas: nazwa, połączenie, TLS, pierwszy bajt czy przesyłanie.',
  ),

  dns_timeout: text(
    'Serwer nazw nie odpowiada',
    'Odpowiedź nie nadeszła na czas.',
    'Serwer nazw nie działa lub jest przeciążony albo zapora blokuje port 53. Sprawdź, czy działa i czy można się z nim połączyć przez UDP i TCP.',
  ),
  dns_port_closed: text(
    'Serwer nazw nie jest uruchomiony',
    'Host odpowiada, że na tym porcie nic nie nasłuchuje.',
    'Uruchom serwer nazw albo popraw port usługi.',
  ),
  dns_mismatch: text(
    'Odpowiedź na inne pytanie',
    'Odpowiedzi nadeszły, ale żadna nie należy do zadanego pytania.',
    'Serwer jest wadliwy albo coś po drodze fałszuje odpowiedzi. Nie ufaj im, póki się to nie wyjaśni.',
  ),
  dns_malformed: text(
    'Nieczytelna odpowiedź',
    'Odpowiedź łamie reguły DNS i nie da się jej odczytać.',
    'Serwer jest wadliwy albo na tym porcie odpowiada coś innego. Zaktualizuj go lub uruchom ponownie.',
  ),
  dns_closed: text(
    'Serwer nazw się rozłączył',
    'Połączenie z serwerem nazw skończyło się bez odpowiedzi.',
    'Serwer ogranicza lub nie oferuje DNS przez TCP. Sprawdź jego ustawienia i zaporę.',
  ),
  dns_name_not_found: text(
    'Nie znaleziono nazwy',
    'Serwer nazw odpowiedział, że nazwa nie istnieje (NXDOMAIN).',
    'W strefie brakuje rekordu albo strefa nie jest wczytana. Sprawdź strefę i to, czy wszystkie serwery mają jej najnowszą wersję.',
  ),
  dns_server_failure: text(
    'Serwer nazw zawodzi',
    'Serwer nazw odpowiedział, że nie potrafi odpowiedzieć (SERVFAIL).',
    'Nie udało się wczytać strefy, jej podpisy są błędne albo nie działają serwery, które pyta. Zajrzyj do dziennika serwera.',
  ),
  dns_refused: text(
    'Serwer nazw odmawia',
    'Serwer nazw odmówił odpowiedzi (REFUSED).',
    'Serwer nie obsługuje tej strefy albo nie odpowiada obcym. Sprawdź strefę i reguły dostępu.',
  ),
  dns_unexpected_rcode: text(
    'Nieoczekiwany kod odpowiedzi',
    'Kod odpowiedzi jest inny, niż oczekiwano.',
    'Oba kody są w komunikacie. Popraw strefę albo oczekiwany kod w usłudze.',
  ),
  dns_no_answer: text(
    'Brak rekordu tego typu',
    'Nazwa istnieje, ale nie ma rekordu żądanego typu.',
    'Dodaj rekord do strefy albo popraw żądany typ.',
  ),
  dns_unexpected_answer: text(
    'Nieoczekiwane rekordy',
    'Otrzymane rekordy nie pasują do oczekiwanego wzorca.',
    'Strefa została zmieniona, podawana jest jej stara wersja albo odpowiedzi są fałszowane. Porównaj rekordy w szczegółach sprawdzenia z oczekiwanymi.',
  ),

  ping_no_reply: text(
    'Brak odpowiedzi na ping',
    'Na żaden z pakietów nie przyszła odpowiedź na czas.',
    'Host lub jego sieć nie działa albo nie odpowiada na ping. Jeśli poza tym działa, ICMP blokuje zapora: sprawdzaj raczej port.',
  ),
  ping_unreachable: text(
    'Host nieosiągalny',
    'Pakietów nie udało się dostarczyć do hosta.',
    'Maszyna lub jej sieć nie działa albo jej adres nie jest trasowany.',
  ),

  smtp_banner_timeout: text(
    'Serwer poczty się nie wita',
    'Połączenie zostało przyjęte, ale powitanie nie nadeszło na czas.',
    'Serwer poczty jest przeciążony, czeka na wolne zapytania (odwrotny DNS, listy blokad) albo celowo opóźnia nieznanych klientów. Porównaj z limitem czasu.',
  ),
  smtp_not_spoken: text(
    'Serwer nie mówi w SMTP',
    'To, co wysłał serwer, nie jest odpowiedzią serwera poczty.',
    'Na tym porcie nasłuchuje inny program albo port oczekuje TLS od samego początku. Sprawdź port.',
  ),
  smtp_refused: text(
    'Serwer poczty odmawia',
    'Serwer poczty powitał nas odmową.',
    '4xx: jest przeciążony lub ogranicza połączenia, spróbuj później. 5xx: nie przyjmuje tu poczty albo blokuje stacje. Zobacz jego komunikat i dziennik.',
  ),
  smtp_helo_refused: text(
    'Odrzucone przywitanie',
    'Serwer poczty nie przyjął naszego HELO.',
    'Serwerowi nie podoba się podana nazwa albo blokuje on stację. Ustaw helo_name w usłudze i zobacz dziennik serwera.',
  ),
  smtp_starttls_missing: text(
    'Brak STARTTLS',
    'Serwer poczty nie proponuje szyfrowania połączenia.',
    'Włącz TLS w serwerze poczty; może brakować mu certyfikatu. Do tego czasu poczta do niego idzie otwartym tekstem.',
  ),
  smtp_starttls_refused: text(
    'STARTTLS odrzucony',
    'Serwer poczty proponuje szyfrowanie, ale odmówił jego rozpoczęcia.',
    'Serwer poczty nie może odczytać certyfikatu lub klucza. Zobacz jego dziennik.',
  ),
  smtp_closed: text(
    'Serwer poczty się rozłączył',
    'Serwer poczty zamknął połączenie w środku rozmowy.',
    'Wyłożył się, ogranicza liczbę połączeń albo blokuje stację. Zobacz jego dziennik.',
  ),
  smtp_reply_timeout: text(
    'Serwer poczty zamilkł',
    'Serwer poczty się przywitał, ale nie odpowiedział na polecenie na czas.',
    'Jest przeciążony albo czeka na coś wolnego, na przykład zapytania DNS. Zobacz jego dziennik i obciążenie.',
  ),

  protocol_answer_timeout: text(
    'Serwer nie odpowiada na czas',
    'Serwer przyjął połączenie, ale to, co miał powiedzieć, nie przyszło przed końcem sprawdzenia.',
    'Jest przeciążony, czeka na coś wolnego albo na tym porcie mówi innym protokołem. Zobacz jego dziennik i obciążenie oraz czy port i tryb TLS usługi są właściwe.',
  ),
  protocol_not_spoken: text(
    'Serwer mówi innym protokołem',
    'To, co mówi serwer, nie jest sprawdzanym protokołem.',
    'Na tym porcie nasłuchuje inny program albo jedna strona oczekuje TLS, a druga nie. Sprawdź port i tryb TLS usługi.',
  ),
  protocol_closed: text(
    'Serwer się rozłączył',
    'Serwer zamknął połączenie, zanim odpowiedział.',
    'Nie wpuszcza takich klientów (zobacz dozwolone adresy i limit połączeń), uległ awarii albo oczekuje TLS. Zobacz jego dziennik z chwili sprawdzenia.',
  ),
  protocol_refused: text(
    'Serwer odprawił klienta',
    'Serwer odpowiedział, że nie obsłuży klienta; komunikat pochodzi od niego.',
    'Komunikat mówi dlaczego: za dużo połączeń, niedozwolony adres, serwer właśnie się uruchamia albo zatrzymuje.',
  ),
  protocol_answer_too_large: text(
    'Odpowiedź nie ma końca',
    'Serwer wysłał więcej, niż czyta sprawdzenie.',
    'Pytaj o mniej: zapytanie z jednym wierszem, mniejsza wiadomość. Serwer, który zalewa każdego klienta, jest zepsuty albo nie jest tym, czym powinien.',
  ),
  starttls_missing: text(
    'Serwer nie oferuje TLS',
    'Usługa ma przejść na TLS, ale serwer tego nie oferuje.',
    'Włącz TLS w ustawieniach serwera albo wybierz inny tryb TLS usługi, jeśli połączenie może pozostać czytelne dla wszystkich.',
  ),
  starttls_refused: text(
    'Serwer odmawia przejścia na TLS',
    'Serwer oferuje TLS, ale odmawia jego rozpoczęcia.',
    'Często brakuje jego certyfikatu lub klucza albo nie można ich odczytać. Zobacz jego dziennik.',
  ),
  login_refused: text(
    'Odmowa logowania',
    'Serwer nie przyjął nazwy użytkownika i hasła.',
    'Hasło zmieniono, użytkownika nie ma, jest zablokowany albo nie może logować się z adresów stacji. Ustaw jedno i drugie w usłudze na nowo.',
  ),
  login_required: text(
    'Serwer wymaga logowania',
    'Serwer nie obsługuje nikogo bez nazwy użytkownika i hasła, a usługa ich nie ma.',
    'Podaj w usłudze nazwę użytkownika i hasło, najlepiej kogoś, komu nic innego nie wolno.',
  ),
  login_unsafe: text(
    'Hasło byłoby czytelne po drodze',
    'Serwer chce hasła otwartym tekstem przez połączenie bez TLS, więc go nie wysłano.',
    'Wybierz dla usługi tryb TLS albo niech serwer pyta o hasło w bezpieczniejszy sposób.',
  ),
  login_method_unknown: text(
    'Serwer chce innego logowania',
    'Serwer nie przyjmuje żadnego sposobu logowania, który znają stacje.',
    'Komunikat mówi, czego chce. Pozwól użytkownikowi tej usługi logować się hasłem (SCRAM albo zwykłym sposobem serwera).',
  ),
  query_refused: text(
    'Zapytanie się nie powiodło',
    'Serwer odpowiedział na zapytanie lub polecenie błędem; komunikat pochodzi od niego.',
    'Wykonaj zapytanie ręcznie jako ten sam użytkownik. Tak kończy się brak uprawnień, przemianowana tabela i błędnie napisane polecenie.',
  ),
  value_missing: text(
    'Nie ma wartości do porównania',
    'Serwer odpowiedział, ale bez wartości, którą porównuje usługa.',
    'Zapytanie nie daje wiersza, metryki lub obiektu (już) nie ma. Wykonaj zapytanie ręcznie.',
  ),
  value_differs: text(
    'Wartość inna niż oczekiwana',
    'Wartość podana przez serwer nie jest taka, jakiej oczekuje usługa.',
    'Komunikat zawiera obie. Sprawdź, co to znaczy dla systemu, albo popraw oczekiwaną wartość.',
  ),
  message_missing: text(
    'Nie przyszła żadna wiadomość',
    'Subskrypcję przyjęto, ale wiadomość, na którą czeka usługa, nie przyszła na czas.',
    'Ten, kto miał tam publikować, mógł przestać albo publikuje w innym temacie. Przy rzadkich wiadomościach użyj zachowywanych (retained) albo dłuższego czasu.',
  ),
  websocket_refused: text(
    'Serwer odmawia WebSocket',
    'Serwer odpowiedział przez HTTP, ale nie przeszedł na WebSocket.',
    'Sprawdź ścieżkę. Pośrednik po drodze musi przekazywać nagłówki Upgrade i Connection. Niektóre serwery chcą nagłówka Origin albo logowania.',
  ),
  server_clock_off: text(
    'Zegar serwera jest błędny',
    'Czas podany przez serwer różni się od czasu stacji bardziej, niż pozwala usługa.',
    'Sprawdź, czy serwer ma własne źródła czasu i się z nimi łączy. Jeśli kilka stacji się zgadza, myli się serwer.',
  ),
  server_clock_unsynchronised: text(
    'Serwer nie ma czasu do podania',
    'Serwer czasu mówi, że jego własny zegar nie jest zsynchronizowany.',
    'Utracił źródła: zobacz na tej maszynie chronyc sources lub ntpq -p oraz zaporę.',
  ),
  not_serving: text(
    'Usługa mówi, że nie działa',
    'Własna usługa zdrowia serwera odpowiada, że ta usługa nie działa albo że jej nie zna.',
    'Zobacz dziennik serwera. Przy nieznanej usłudze popraw nazwę: to pełna nazwa, jak pakiet.Usługa.',
  ),
  host_key_differs: text(
    'Serwer ma inny klucz',
    'Serwer pokazuje inny klucz, niż oczekuje usługa, albo nie potrafi dowieść, że go ma.',
    'Jeśli nikt klucza nie zmieniał, może odpowiadać ktoś inny: porównaj odcisk na samej maszynie (ssh-keygen -lf). Jeśli go zmieniono, wpisz nowy.',
  ),

  page_timeout: text(
    'Strona nie kończy się wczytywać',
    'Przeglądarka nie doczekała zdarzenia load tej strony w wyznaczonym czasie.',
    'Coś, na co strona czeka, jest wolne albo nigdy się nie kończy: wskaże to HAR, a zrzut ekranu pokaże, jak daleko doszła. Przyspiesz to albo zwiększ limit czasu w usłudze.',
  ),
  page_navigation_failed: text(
    'Nie można otworzyć strony',
    'Przeglądarce nie udało się otworzyć strony; komunikat zawiera jej własny powód.',
    'Otwórz adres w przeglądarce. Komunikat i HAR mówią, które żądanie się nie udało i dlaczego.',
  ),
  page_crashed: text(
    'Strona wywraca przeglądarkę',
    'Proces strony zakończył się podczas wczytywania, najczęściej z braku pamięci.',
    'Skrypt strony zajmuje więcej pamięci, niż daje mu przeglądarka, albo trafia na jej błąd. Otwórz stronę z narzędziami deweloperskimi i obserwuj jej pamięć.',
  ),
  page_unresponsive: text(
    'Strona nie reaguje',
    'Strona się wczytała, ale potem na nic nie odpowiadała: jeden z jej skryptów się nie kończy.',
    'Odwiedzający widzi zamarłą stronę. Poszukaj nieskończonej pętli w skryptach działających po wczytaniu strony.',
  ),
  page_navigation_loop: text(
    'Strona bez końca przekierowuje',
    'Strona raz po raz odsyłała przeglądarkę na inną stronę, skryptem albo nagłówkiem odświeżania.',
    'Dwie strony odsyłają do siebie nawzajem albo strona od razu wczytuje się na nowo, często z braku ciasteczka. Otwórz adres w oknie prywatnym.',
  ),
  page_dialog_loop: text(
    'Strona bez końca pyta',
    'Strona otwierała jedno okno dialogowe po drugim i nie szła dalej.',
    'Skrypt bez końca wywołuje alert, confirm lub prompt. Otwórz stronę w przeglądarce i poszukaj przyczyny.',
  ),
  page_is_download: text(
    'Adres jest plikiem do pobrania',
    'Adres odpowiada plikiem do zapisania, a nie stroną.',
    'Serwer podaje typ, którego przeglądarki nie pokazują, albo Content-Disposition: attachment. Popraw nagłówki albo sprawdzaj ten adres typem http.',
  ),
  page_too_large: text(
    'Strona jest za duża',
    'Wczytanie strony wymagało więcej bajtów, niż wolno.',
    'HAR wskazuje największe części: nieskompresowane obrazy, filmy, niekończącą się odpowiedź. Zmniejsz je albo podnieś największy rozmiar w ustawieniach usługi.',
  ),
  page_too_many_requests: text(
    'Strona wysyła za dużo żądań',
    'Strona prosiła o więcej plików, niż potrzebuje jakakolwiek strona.',
    'Skrypt w kółko o coś prosi. HAR pokazuje, o co.',
  ),
  page_resource_failed: text(
    'Brakuje części strony',
    'Strona się otworzyła, ale czegoś, z czego się składa, nie udało się wczytać.',
    'Komunikat wymienia pierwsze brakujące części. Przywróć je lub usuń ze strony albo wyłącz fail_on_resource_errors.',
  ),
  scenario_element_missing: text(
    'Brakuje elementu scenariusza',
    'Krok scenariusza nie znalazł swojego elementu albo element nie był widoczny w czasie wyznaczonym dla kroku.',
    'Komunikat wymienia krok i to, czego szukał; zrzut ekranu pokazuje stronę w tej chwili. Jeśli strona zmieniła się celowo, nagraj scenariusz od nowa.',
  ),
  scenario_step_timeout: text(
    'Krok scenariusza trwał za długo',
    'To, co robi krok, nie skończyło się w czasie wyznaczonym dla kroku.',
    'Strona wczytuje się za wolno albo coś zasłania lub wyłącza element: zobacz zrzut ekranu i HAR. Jeśli strona ma być tak wolna, daj krokowi lub nagraniu dłuższy limit czasu.',
  ),
  scenario_step_failed: text(
    'Krok scenariusza się nie udał',
    'Przeglądarka nie mogła zrobić tego, co mówi krok.',
    'Komunikat pochodzi od samej przeglądarki. Selektor może być błędny albo prowadzić do elementu, z którym nie da się tego zrobić: odtwórz nagranie w rejestratorze.',
  ),
  scenario_navigation_missing: text(
    'Nie doszło do przejścia w scenariuszu',
    'Według nagrania krok prowadzi na inną stronę, ale przeglądarka została tam, gdzie była.',
    'Obejrzyj zrzut ekranu: strona często sama mówi dlaczego, na przykład obok formularza. Potem poszukaj nieudanych zapytań w pliku HAR.',
  ),
  scenario_url_differs: text(
    'Scenariusz zaprowadził pod inny adres',
    'Strona, na którą zaprowadził krok, ma inny adres niż w nagraniu.',
    'Tak kończy się odrzucone logowanie albo zmienione przekierowanie. Jeśli część adresu jest za każdym razem inna, wpisz w jej miejsce *.',
  ),
  scenario_title_differs: text(
    'Strona scenariusza ma inny tytuł',
    'Strona, na którą zaprowadził krok, ma inny tytuł niż w nagraniu.',
    'Zrzut ekranu pokazuje, co pojawiło się zamiast niej: często strona błędu albo znów formularz logowania. Jeśli część tytułu się zmienia, wpisz w jej miejsce *.',
  ),
  scenario_target_missing: text(
    'Brakuje okna lub ramki scenariusza',
    'Krok należy do okna lub ramki, których nie było w czasie wyznaczonym dla kroku.',
    'Sprawdź, czy strona nadal je otwiera. Jeśli ich adres jest za każdym razem inny, wpisz * w miejsce tego, co się zmienia.',
  ),
  scenario_timeout: text(
    'Scenariusz nie doszedł do końca',
    'Czas na cały scenariusz minął przed jego ostatnim krokiem.',
    'Czasy kroków pokazują, które z nich są wolne. Przyspiesz je, skróć scenariusz albo zwiększ limit czasu w usłudze.',
  ),

  sensor_lost: text(
    'Utracono stację',
    'Połączenie ze stacją się urwało, więc nie mogła zdać sprawy.',
    'Nie mówi to nic o Twojej usłudze. Rozstrzygają inne stacje; nic nie trzeba robić.',
  ),
  sensor_late: text(
    'Stacja odpowiedziała za późno',
    'Stacja nie zdała sprawy przed rozstrzygnięciem rundy.',
    'Nie mówi to nic o Twojej usłudze. Jeśli zdarza się często, stacja jest przeciążona.',
  ),
  sensor_held: text(
    'Stacja była wstrzymana',
    'Maszyna stacji stała lub była przeciążona, gdy czekała, więc zmierzony czas nic nie znaczy.',
    'Nie mówi to nic o Twojej usłudze. Jeśli zdarza się często, maszynie stacji brakuje mocy.',
  ),
  sensor_out_of_sockets: text(
    'Stacja nie ma wolnych połączeń',
    'Maszyna stacji nie mogła otworzyć kolejnego połączenia.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien podnieść limit otwartych plików lub rozłożyć obciążenie.',
  ),
  sensor_without_resolver: text(
    'Stacja nie może odpytać DNS',
    'Nie odpowiada żaden serwer nazw maszyny stacji.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien sprawdzić serwery nazw tej maszyny.',
  ),
  sensor_without_network: text(
    'Stacja nie ma tam drogi',
    'Maszyna stacji nie ma trasy do tego adresu, na przykład nie ma IPv6.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien sprawdzić sieć tej maszyny.',
  ),
  sensor_not_permitted: text(
    'Stacja nie ma pozwolenia',
    'System stacji zabrania tego połączenia.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien sprawdzić zaporę i uprawnienia tej maszyny.',
  ),
  sensor_cannot_ping: text(
    'Stacja nie może pingować',
    'System stacji nie pozwala ani na gniazda ping, ani na program ping.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien ustawić net.ipv4.ping_group_range albo zainstalować program ping.',
  ),
  sensor_fault: text(
    'Usterka stacji',
    'Stacja zawiodła z nieoczekiwanego, własnego powodu.',
    'Nie mówi to nic o Twojej usłudze. Przekaż techniczny komunikat operatorowi.',
  ),
  type_not_supported: text(
    'Stacja nie sprawdza tego typu',
    'Stacja nie umie sprawdzać usług tego typu.',
    'Nie mówi to nic o Twojej usłudze. Wybierz dla niej inne stacje albo zaktualizuj tę.',
  ),
  setting_invalid: text(
    'Nie można użyć ustawienia',
    'Jedno z ustawień usługi nie ma sensu, więc niczego nie sprawdzono.',
    'Komunikat podaje nazwę ustawienia. Popraw je.',
  ),
  browser_missing: text(
    'Stacja nie ma przeglądarki',
    'Strony sprawdza się przeglądarką Chromium, a maszyna stacji jej nie ma.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien zainstalować chromium-headless-shell albo ustawić CHROMIUM_PATH.',
  ),
  browser_not_isolated: text(
    'Przeglądarka stacji bez izolacji',
    'Każdy może się tu zarejestrować, a przeglądarka stacji nie działa ani w piaskownicy, ani w kontenerze, więc nie otwiera stron.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien uruchomić stację jako użytkownik inny niż root albo w kontenerze z CHROMIUM_SANDBOX=container.',
  ),
  browser_failed: text(
    'Przeglądarka stacji zawiodła',
    'Przeglądarki stacji nie udało się uruchomić albo zakończyła się podczas sprawdzania.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien zajrzeć do dziennika stacji i uruchomić latarnik doctor.',
  ),
  sensor_address_refused: text(
    'Stacja nie może sprawdzać tego adresu',
    'Adres usługi jest prywatny, lokalny lub zastrzeżony, a ta stacja nie łączy się z takimi adresami.',
    'Nie mówi to nic o Twojej usłudze. Wybierz stację wewnątrz swojej sieci. Jeśli prowadzisz tę instalację, zezwól na ten zakres tam, gdzie działa stacja (ALLOW_PRIVATE_TARGETS). Jeśli adres ma być publiczny, popraw rekord DNS.',
  ),
  sensor_redirect_refused: text(
    'Stacja nie może pójść pod ten adres',
    'Przekierowanie, strona lub scenariusz prowadzi dalej pod adres prywatny, lokalny lub zastrzeżony, a z tym adresem ta stacja się nie łączy.',
    'Nie mówi to nic o Twojej usłudze. Wybierz stację, która może się łączyć z oboma adresami. Jeśli prowadzisz tę instalację, zezwól tam, gdzie działa stacja, na zakres, do którego prowadzi przekierowanie, strona lub scenariusz (ALLOW_PRIVATE_TARGETS). Jeśli usługa nie ma tam prowadzić, popraw przekierowanie.',
  ),
  sensor_resolver_refused: text(
    'Serwer nazw stacji odmawia tej nazwy',
    'Serwer nazw maszyny stacji odpowiada na inne pytania, ale na to odmawia odpowiedzi.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien sprawdzić reguły tego serwera nazw.',
  ),
  sensor_clock_off: text(
    'Zegar stacji jest błędny',
    'Daty certyfikatu albo czas serwera czasu nie zgadzają się z zegarem maszyny stacji, ale ten zegar jest błędny.',
    'Nie mówi to nic o Twojej usłudze. Operator powinien ustawić zegar tej maszyny.',
  ),
  pattern_late: text(
    'Stacja nie miała czasu na wzorzec',
    'Stacja szuka wielu wzorców i ten nie doczekał się swojej kolejki przed końcem sprawdzenia.',
    'Nie mówi to nic o Twojej usłudze. Jeśli zdarza się często, operator powinien dodać stacje albo poszukać konta, które zużywa najwięcej czasu.',
  ),
  assertion_not_evaluated: text(
    'Warunku nie dało się sprawdzić',
    'Stacja nie mogła sprawdzić warunku: odpowiedź jest za duża lub za głęboka albo ścieżka trwa zbyt długo.',
    'Nie mówi to nic o Twojej usłudze. Użyj dokładniejszej ścieżki (bez „..”) albo niech serwer wysyła mniejszą odpowiedź.',
  ),
  pattern_budget_used: text(
    'Czas konta na wzorce się wyczerpał',
    'Wzorce Twojego konta zużyły cały czas, jaki może ono zająć na tej stacji, gdy czekają inne konta.',
    'Nie mówi to nic o Twojej usłudze. Użyj prostszych wzorców (mniej powtórzeń w klamrach), mniejszych stron albo dłuższych interwałów.',
  ),
  browser_busy: text(
    'Przeglądarka stacji jest zajęta',
    'Żadne miejsce w przeglądarce stacji nie zwolniło się na czas.',
    'Nie mówi to nic o Twojej usłudze. Jeśli zdarza się często, maszyna stacji potrzebuje więcej rdzeni albo mniej sprawdzanych stron.',
  ),
  heartbeat_late: text(
    'Heartbeat się spóźnia',
    'Do oczekiwanej chwili, z dozwolonym spóźnieniem, nie przyszło żadne zgłoszenie.',
    'Sprawdź, czy zadanie się wykonało: jego maszynę, harmonogram i dziennik. Jeśli tak, sprawdź, czy dociera do adresu zgłoszeń. Jeśli często kończy później, zwiększ dozwolone spóźnienie.',
  ),
  heartbeat_failed: text(
    'Zadanie zgłosiło awarię',
    'Zadanie samo zgłosiło, że się nie udało; kod wyjścia podano, jeśli go przesłało.',
    'Przeczytaj, co przesłało ze zgłoszeniem, i jego dziennik. Awaria kończy się wraz z następnym zgłoszeniem powodzenia.',
  ),
  heartbeat_overrun: text(
    'Zadanie trwa za długo',
    'Zadanie zgłosiło początek i nie zgłosiło końca w najdłuższym dozwolonym czasie.',
    'Sprawdź, czy się nie zawiesiło albo nie zostało zabite. Jeśli może trwać dłużej, zwiększ max_run_time.',
  ),
  heartbeat_awaited: text(
    'Oczekiwanie na zgłoszenie',
    'Usługa nie zgłosiła się, odkąd ją utworzono lub wznowiono.',
    'To nic nie mówi o usłudze. Niech zadanie wywoła adres zgłoszeń; od pierwszego zgłoszenia zaczyna się monitorowanie.',
  ),
  domain_expired: text(
    'Rejestracja domeny się skończyła',
    'Rejestr podaje koniec rejestracji, który już minął.',
    'Odnów domenę u rejestratora natychmiast: wkrótce może ją zarejestrować ktoś inny. Włącz automatyczne odnawianie i sprawdź, czy karta u rejestratora jest ważna.',
  ),
  domain_missing: text(
    'Domena nie jest zarejestrowana',
    'Rejestr nie zna tej domeny.',
    'Popraw domenę, jeśli jest w niej błąd. Jeśli należała do Ciebie, zapytaj rejestratora, czy można ją jeszcze odzyskać.',
  ),
  domain_in_deletion: text(
    'Domena jest usuwana',
    'Rejestr oznaczył domenę do usunięcia, zwykle dlatego, że jej nie odnowiono. Nie ma jej już w DNS.',
    'Przywróć ją natychmiast przez rejestratora; po kilku tygodniach może ją zarejestrować każdy.',
  ),
  domain_on_hold: text(
    'Domena jest wstrzymana',
    'Rejestrator albo rejestr usunął domenę z DNS, więc nie działają jej strony ani poczta.',
    'Zapytaj rejestratora o powód: często jest to płatność, niepotwierdzony adres właściciela albo spór.',
  ),
  domain_name_servers_differ: text(
    'Domena ma inne serwery nazw',
    'Rejestr podaje inne serwery nazw domeny, niż oczekuje usługa.',
    'Jeśli przeniesiono domenę, popraw expected_name_servers. Jeśli nie, sprawdź konto u rejestratora: ktoś mógł przejąć domenę.',
  ),
  domain_registrar_differs: text(
    'Domena ma innego rejestratora',
    'Rejestr podaje innego rejestratora domeny, niż oczekuje usługa.',
    'Jeśli przeniesiono domenę, popraw expected_registrar. Jeśli nie, natychmiast zadzwoń do rejestratora.',
  ),
  domain_not_signed: text(
    'Domena nie jest podpisana',
    'Rejestr podaje, że domena nie jest zabezpieczona przez DNSSEC.',
    'Przekaż rejestratorowi rekordy DS swojego serwera nazw albo wyłącz require_dnssec.',
  ),
  registry_unknown: text(
    'Rejestr domeny nie jest znany',
    'Na liście rejestrów nie ma serwera dla tej domeny najwyższego poziomu.',
    'To nic nie mówi o domenie. Niektóre kraje nie publikują w ten sposób rejestracji.',
  ),
  registry_silent: text(
    'Rejestr nie odpowiada',
    'Nie udało się połączyć z rejestrem domeny albo odczytać listy rejestrów.',
    'To nic nie mówi o domenie; próba zostanie powtórzona. Jeśli to trwa, operator powinien sprawdzić, czy instalacja może łączyć się z rejestrami (RDAP_BOOTSTRAP_URL).',
  ),
  registry_refused: text(
    'Rejestr prosi o przerwę',
    'Rejestr odmawia na razie dalszych odpowiedzi.',
    'To nic nie mówi o domenie; rejestr zostanie zapytany po przerwie, o którą prosi.',
  ),
  registry_answer_invalid: text(
    'Odpowiedź rejestru jest nieprzydatna',
    'Rejestr odpowiedział błędem, o czym innym albo sprzecznie z wcześniejszą odpowiedzią.',
    'To nic nie mówi o domenie; rejestr zostanie zapytany ponownie.',
  ),
}
