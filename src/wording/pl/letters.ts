import type { LetterTexts } from '../catalogue.ts'

export const letters: LetterTexts = {
  activation: {
    subject: 'Aktywacja konta {username}',
    text: `Dzień dobry,

ktoś podał ten adres, zakładając konto {username}. Jeśli to Ty, otwórz odnośnik i aktywuj konto:

{link}

Odnośnik działa do {until}.

Jeśli to nie Ty, nie rób nic: konto pozostanie nieaktywne i zniknie.`,
  },
  password_reset: {
    subject: 'Nowe hasło do konta {username}',
    text: `Dzień dobry,

ktoś poprosił o ustawienie nowego hasła do konta {username}. Jeśli to Ty, otwórz odnośnik i podaj nowe hasło:

{link}

Odnośnik działa raz, do {until}.

Jeśli to nie Ty, nie rób nic: dotychczasowe hasło pozostaje ważne.`,
  },
  invitation: {
    subject: 'Konto {username} czeka na hasło',
    text: `Dzień dobry,

założono dla Ciebie konto {username}. Otwórz odnośnik i ustaw hasło, którym będziesz się logować:

{link}

Odnośnik działa raz, do {until}.`,
  },
  email_change: {
    subject: 'Potwierdź adres e-mail konta {username}',
    text: `Dzień dobry,

ktoś podał ten adres jako nowy adres e-mail konta {username}. Jeśli to Ty, otwórz odnośnik i potwierdź adres:

{link}

Odnośnik działa raz, do {until}. Do tego czasu listy dotyczące konta przychodzą na dotychczasowy adres.

Jeśli to nie Ty, nie rób nic: konto zachowa dotychczasowy adres.`,
  },
  address_changed: {
    subject: 'Zmieniono adres e-mail konta {username}',
    text: `Dzień dobry,

konto {username} ma od {changed} inny adres e-mail. Listy dotyczące konta już tu nie przychodzą, a odnośniki do ustawienia hasła, które tu przyszły, przestały działać.

Jeśli to Ty, nie rób nic.

Jeśli to nie Ty, zaloguj się, ustaw nowe hasło i wpisz z powrotem swój adres. Jeśli nie możesz się już zalogować, zwróć się do operatora tej usługi.`,
  },
  passkey_added: {
    subject: 'Do konta {username} dodano klucz dostępu',
    text: `Dzień dobry,

do konta {username} dodano klucz dostępu „{name}” ({added}). Służy do logowania bez hasła.

Jeśli to Ty, nie musisz nic robić.

Jeśli to nie Ty, zaloguj się, usuń go w części Konto, Bezpieczeństwo, i ustaw nowe hasło. Jeśli nie możesz się już zalogować, zwróć się do osób, które prowadzą tę usługę.`,
  },
  services_unchecked: {
    subject: 'Usługi, które nie są sprawdzane: {count}',
    text: `Dzień dobry,

te usługi konta {username} są monitorowane, ale żadna stacja nie może ich sprawdzić. Dopóki to się nie zmieni, nic o nich nie wiadomo:

{services}

O każdej usłudze piszemy raz. Co jest teraz i dlaczego, pokazuje GET /v3/service_statuses?summary=unknown.`,
  },
  address_switched_off: {
    subject: 'Adres nie dostaje już powiadomień: {address}',
    text: `Dzień dobry,

konto {username} powiadamia {address} ({channel}). Odbiorca odpowiada, że już go nie ma: {reason}

Adres został wyłączony. Popraw go lub usuń w Powiadomieniach i tam włącz ponownie. Pozostałe adresy są powiadamiane jak dotąd.`,
  },
  sms_limit_reached: {
    subject: 'Dziś nie będzie już SMS-ów dla konta {username}',
    text: `Dzień dobry,

konto {username} wysłało tyle SMS-ów, ile może w ciągu jednego dnia: {limit}. Do północy UTC dalsze powiadomienia SMS nie są wysyłane. Każde z nich jest w dzienniku powiadomień jako nieudane. Powiadomienia innymi kanałami są wysyłane jak dotąd.

Limit ustala operator tej usługi. Jeśli potrzebny jest większy, zwróć się do operatora.`,
  },
  sensor_lost: {
    subject: 'Stacja {sensor}: UTRACONA',
    text: `Stacja {sensor} (nr {id}) nie zgłasza się od {since}.

Usługi z włączonym sensors_failover sprawdza w jej zastępstwie inna stacja tej samej kategorii. Pozostałe usługi sprawdzają stacje, które zostały; gdy odpowiada mniej niż połowa, werdyktu nie ma i nikt nie jest powiadamiany o awarii.

Gdy stacja wróci, przyjdzie kolejna wiadomość.`,
  },
  sensor_returned: {
    subject: 'Stacja {sensor}: znów dostępna',
    text: `Stacja {sensor} (nr {id}) zgłasza się znowu od {returned}. Była utracona od {since}.`,
  },
  disk_full: {
    subject: 'Dysk bazy danych jest PEŁNY',
    text: `Dysk bazy danych jest pełny od {since}, zgłasza proces {process} na maszynie {machine}.

Rundy nie są zapisywane, więc żadna awaria nie zostanie zauważona i nikt nie zostanie o niej powiadomiony. API odpowiada na odczyty, ale zapisy i nowe logowania się nie udają. Nic, co zostało potwierdzone, nie przepadło.

Zwolnij miejsce na tym dysku; nic więcej nie trzeba. Na dłużej pomoże mniejsze RETENTION_DAYS.

Gdy znów będzie miejsce, przyjdzie kolejna wiadomość.`,
  },
  disk_has_room: {
    subject: 'Na dysku bazy danych znów jest miejsce',
    text: `Proces {process} na maszynie {machine} znów zapisuje rundy od {returned}. Dysk bazy danych był pełny od {since}. Rundy z tego czasu są opuszczone: ich liczbę podaje ekran „Ta instalacja”.`,
  },
  gateway_down: {
    subject: 'Bramka {gateway}: NIE DZIAŁA',
    text: `Bramka powiadomień {gateway} nie działa od {since}. Mówi:

{error}

Powiadomienia, które mają nią wyjść, czekają; próba odbywa się co minutę. Czego nie uda się dostarczyć w ciągu 24 godzin, zostaje porzucone i widnieje w dzienniku powiadomień.

Gdy bramka wróci, przyjdzie kolejna wiadomość.`,
  },
  gateway_returned: {
    subject: 'Bramka {gateway}: znów działa',
    text: `Bramka powiadomień {gateway} działa znowu od {returned}. Nie działała od {since}. Mówiła:

{error}

Powiadomienia, które czekały, są w drodze.`,
  },
}
