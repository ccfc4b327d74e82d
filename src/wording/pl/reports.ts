import type { ReportTexts } from '../catalogue.ts'

export const reports: ReportTexts = {
  failures: {
    failed: 'Raportu nie udało się utworzyć z powodu błędu programu. Błąd zapisano; utwórz raport ponownie.',
    interrupted:
      'Tworzenie raportu przerwano zbyt wiele razy. Utwórz raport ponownie, dla krótszego czasu albo węższego zakresu.',
    tooLarge: 'Raport obejmuje ponad {most} usług, grup i kont. Zamiast niego utwórz raporty poszczególnych grup.',
  },
  mail: {
    subject: 'Raport: {name}, {from} – {to}',
    text: `Dzień dobry,

w załączniku jest raport „{name}” za okres od {from} do {to} (strefa czasowa {zone}).

Tę wiadomość wysłano automatycznie na adres podany w szablonie raportu.`,
  },
  labels: {
    report: 'Raport',
    page: 'Strona',
    contents: 'Spis treści',
    rules: 'Zasady',
    owner: 'Konto',
    zone: 'Strefa czasowa',
    created: 'Utworzono',
    sections: 'Części',
    summary: 'Podsumowanie',
    overview: 'Wszystkie usługi',
    state: 'Stan na końcu',
    responseTime: 'Czas odpowiedzi',
    course: 'Stany w czasie',
    raised: 'Krótkie awarie narysowano większe, niż były: co najmniej {share} % wysokości rysunku.',
    checks: 'Sprawdzenia',
    byHour: 'Czas odpowiedzi według godziny dnia (ms)',
    byWeekDay: 'Czas odpowiedzi według dnia tygodnia (ms)',
    failures: 'Awarie',
    noFailures: 'W tym okresie nie było awarii.',
    someFailures: 'Wymieniono {shown} najdłuższych z {count}.',
    ok: 'Działa',
    failure: 'Awaria',
    paused: 'Bez monitorowania',
    unknown: 'brak danych',
    availability: 'Dostępność',
    failuresCount: 'Liczba awarii',
    longestFailure: 'Najdłuższa awaria',
    corrections: 'Poprawki',
    began: 'Początek',
    ended: 'Koniec',
    lasted: 'Czas liczony',
    okChecks: 'Udane',
    errorChecks: 'Nieudane',
    unknownChecks: 'Bez wyniku',
  },
  kinds: { summary: 'Całość', account: 'Konto', group: 'Grupa', service: 'Usługa' },
  weekDays: ['pon.', 'wt.', 'śr.', 'czw.', 'pt.', 'sob.', 'niedz.'],
  rules: {
    time: {
      label: 'Okres',
      text: 'Od {from} do {to}, bez chwili końcowej. Czas przed dodaniem usługi i po utworzeniu raportu się nie liczy.',
    },
    zone: { label: 'Strefa czasowa', text: 'Wszystkie chwile, godziny i dni podano w strefie {zone}.' },
    availability: {
      label: 'Dostępność',
      text: 'Czas działania podzielony przez sumę czasu działania i awarii, zaokrąglony w dół do trzech miejsc. Czas bez monitorowania się nie liczy.',
    },
    failures: {
      label: 'Awarie',
      text: 'Awaria liczy się raz, także gdy wykracza poza okres raportu; jej czas to sekundy, które w raporcie się liczą.',
    },
    corrections: {
      label: 'Poprawki',
      text: 'Uwzględniono poprawki: {count}. Zmieniają one stany w czasie, nie wyniki sprawdzeń.',
    },
    noCorrections: { label: 'Poprawki', text: 'Żadna poprawka nie dotyczy tego okresu.' },
    leftOut: { label: 'Wyłączenia', text: 'Co tydzień pominięto: {ranges}.' },
    nothingLeftOut: { label: 'Wyłączenia', text: 'Niczego nie pominięto.' },
    archived: { label: 'Archiwum', text: 'Raport obejmuje usługi zarchiwizowane.' },
    noArchived: { label: 'Archiwum', text: 'Raport nie obejmuje usług zarchiwizowanych.' },
    nothing: {
      label: 'Zakres',
      text: 'Zakres szablonu (requested_scope) niczego nie wybiera, więc nie ma o czym raportować.',
    },
    performance: {
      label: 'Czas odpowiedzi',
      text: 'Średnia z udanych sprawdzeń wszystkich stacji, w milisekundach, według chwili zakończenia rundy.',
    },
  },
}
