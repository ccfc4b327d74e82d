import type { ReportTexts } from '../catalogue.ts'

export const reports: ReportTexts = {
  failures: {
    failed: 'Raportu nie udało się utworzyć z powodu błędu programu. Błąd zapisano; utwórz raport ponownie.',
    interrupted:
      'Tworzenie raportu przerwano zbyt wiele razy. Utwórz raport ponownie, dla krótszego czasu albo węższego zakresu.',
  },
}
