import type { PeriodicReportTexts } from '../catalogue.ts'

export const periodicReports: PeriodicReportTexts = {
  titles: { daily: 'Raport dzienny', weekly: 'Raport tygodniowy', monthly: 'Raport miesięczny' },
  subject: '{title}: {group}, {period}',
  noFailures: 'bez awarii',
  notMonitored: 'bez monitorowania',
  archived: 'zarchiwizowana',
  failures: { one: 'awaria', few: 'awarie', many: 'awarii', other: 'awarii' },
  services: { one: 'usługa', few: 'usługi', many: 'usług', other: 'usługi' },
  unnamed: 'I jeszcze {services}, o dostępności nie gorszej niż powyżej.',
  labels: {
    service: 'Usługa',
    availability: 'Dostępność',
    failures: 'Awarie',
    failing: 'Czas awarii',
    longest: 'Najdłuższa awaria',
    longestOnly: 'najdłuższe {shown} z {count}',
  },
  rules:
    'Wszystkie chwile podano w strefie czasowej {zone}. Uwzględniono poprawki. Czas bez monitorowania nie liczy się do dostępności, którą zaokrąglono w dół.',
  why: 'Tę wiadomość wysłano, ponieważ Twój adres jest wśród adresów raportów grupy „{group}”.',
}
