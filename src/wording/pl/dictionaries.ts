import type { DictionaryTexts } from '../catalogue.ts'

export const dictionaries: DictionaryTexts = {
  languages: {
    pl: { name: 'Polski', description: 'Język polski.' },
    en: { name: 'Angielski', description: 'Język angielski.' },
  },
  report_sections: {
    checks_summary: {
      name: 'Podsumowanie sprawdzeń',
      description: 'Liczby sprawdzeń poprawnych, błędnych i nieznanych.',
    },
    service_level_summary: { name: 'Poziom usług', description: 'Czas działania, awarii i przerw oraz dostępność.' },
    performance_by_hour: { name: 'Wydajność według godzin', description: 'Czasy odpowiedzi według godzin doby.' },
    performance_by_week_day: {
      name: 'Wydajność według dni tygodnia',
      description: 'Czasy odpowiedzi według dni tygodnia.',
    },
  },
  reporting_plans: {
    daily: { name: 'Codziennie', description: 'Każdego dnia, za dzień poprzedni.' },
    weekly: { name: 'Co tydzień', description: 'W każdy poniedziałek, za poprzedni tydzień.' },
    monthly: { name: 'Co miesiąc', description: 'Pierwszego dnia każdego miesiąca, za poprzedni miesiąc.' },
  },
  notification_conditions: {
    failure: { name: 'Awaria', description: 'Wykryto awarię.' },
    failure_continuation: {
      name: 'Trwanie awarii',
      description: 'Zgłoszona awaria nadal trwa; powtarzane kilka razy.',
    },
    pause: { name: 'Wstrzymanie', description: 'Użytkownik wstrzymał monitorowanie.' },
    recovery: { name: 'Koniec awarii', description: 'Usługa znów działa po awarii.' },
    silent_failure: {
      name: 'Awaria w czasie ciszy',
      description: 'W godzinach ciszy, które właśnie minęły, wystąpiła awaria.',
    },
    degraded: { name: 'Pogorszenie', description: 'Usługa działa, ale gorzej, niż powinna.' },
    degraded_end: { name: 'Koniec pogorszenia', description: 'Nic już nie ogranicza usługi.' },
  },
  notification_modes: {
    off: { name: 'Wyłączone', description: 'Powiadomienia o usłudze nie są wysyłane.' },
    default: { name: 'Od razu', description: 'Bezpośrednio po wykryciu awarii.' },
    after_30_seconds_failure: { name: 'Po 30 sekundach', description: 'Gdy awaria trwa 30 sekund.' },
    after_1_minute_failure: { name: 'Po 1 minucie', description: 'Gdy awaria trwa 1 minutę.' },
    after_5_minutes_failure: { name: 'Po 5 minutach', description: 'Gdy awaria trwa 5 minut.' },
    after_10_minutes_failure: { name: 'Po 10 minutach', description: 'Gdy awaria trwa 10 minut.' },
    after_15_minutes_failure: { name: 'Po 15 minutach', description: 'Gdy awaria trwa 15 minut.' },
    after_30_minutes_failure: { name: 'Po 30 minutach', description: 'Gdy awaria trwa 30 minut.' },
  },
  recovery_notification_modes: {
    off: { name: 'Wyłączone', description: 'Powiadomienia o końcu awarii nie są wysyłane.' },
    default: { name: 'Od razu', description: 'Bezpośrednio po tym, jak usługa znów działa.' },
    after_30_seconds: { name: 'Po 30 sekundach', description: 'Gdy usługa działa od 30 sekund.' },
    after_1_minute: { name: 'Po 1 minucie', description: 'Gdy usługa działa od 1 minuty.' },
    after_5_minutes: { name: 'Po 5 minutach', description: 'Gdy usługa działa od 5 minut.' },
    after_10_minutes: { name: 'Po 10 minutach', description: 'Gdy usługa działa od 10 minut.' },
    after_15_minutes: { name: 'Po 15 minutach', description: 'Gdy usługa działa od 15 minut.' },
    after_30_minutes: { name: 'Po 30 minutach', description: 'Gdy usługa działa od 30 minut.' },
  },
  artifact_types: {
    content: { name: 'Treść', description: 'Strona w postaci, w jakiej odebrał ją sensor.' },
    har: { name: 'HAR', description: 'Zapis żądań przeglądarki w formacie HTTP Archive.' },
    screenshot: { name: 'Zrzut ekranu', description: 'To, co pokazywała przeglądarka w chwili błędu.' },
  },
  error_type_categories: {
    name: { name: 'Nazwa', description: 'Nazwy nie udało się zamienić na adres.' },
    address: { name: 'Adres', description: 'Pod ten adres nie można się łączyć.' },
    connect: { name: 'Połączenie', description: 'Nie udało się nawiązać połączenia.' },
    tls: { name: 'TLS', description: 'Nie udało się uzgodnić szyfrowanego połączenia.' },
    certificate: { name: 'Certyfikat', description: 'Certyfikat serwera jest nieprawidłowy albo wkrótce wygaśnie.' },
    http: { name: 'HTTP', description: 'Odpowiedź HTTP jest błędna, niepełna albo ma nieoczekiwany status.' },
    content: { name: 'Treść', description: 'Odpowiedź nie zawiera tego, czego się oczekuje, albo przyszła za późno.' },
    dns: { name: 'DNS', description: 'Serwer DNS nie odpowiedział tak, jak powinien.' },
    ping: { name: 'Ping', description: 'Host nie odpowiada na ping.' },
    smtp: { name: 'SMTP', description: 'Serwer pocztowy nie odpowiedział tak, jak powinien.' },
    protocol: { name: 'Protokół', description: 'Serwer innego protokołu nie odpowiedział tak, jak powinien.' },
    page: { name: 'Strona', description: 'Strona nie wczytała się w przeglądarce tak, jak powinna.' },
    heartbeat: { name: 'Heartbeat', description: 'Usługa nie zgłosiła się albo zgłosiła awarię.' },
    sensor: { name: 'Sensor', description: 'Sensor sam nie mógł sprawdzić usługi; to nie mówi nic o celu.' },
  },
  service_type_categories: {
    default: { name: 'Podstawowa', description: 'Sprawdzenia, które może wykonać każdy sensor.' },
    ipv6: { name: 'IPv6', description: 'Sprawdzenia wyłącznie przez IPv6.' },
    mobile: { name: 'Mobilna', description: 'Strony w emulowanym telefonie.' },
    webappcheck: { name: 'Scenariusze', description: 'Scenariusze w przeglądarce, krok po kroku.' },
  },
}
