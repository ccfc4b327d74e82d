import { catalogue } from '../../words/words.ts'

export const badgeWords = catalogue({
  en: {
    title: 'Badge',
    about: 'A picture for a README or another site. It shows the state of the service, but not its name or address.',
    make: 'Make a badge',
    metric: 'Shows',
    metrics: { state: 'State', uptime: 'Uptime', response_time: 'Response time' },
    days: 'Days',
    markdown: 'Markdown',
    html: 'HTML',
    frame: 'HTML frame',
    off: 'Switch it off',
    offText: 'The picture is no longer available. A new badge gets another address.',
    preview: 'Preview',
    alt: 'Service status',
  },
  pl: {
    title: 'Odznaka',
    about: 'Obrazek do README lub na inną stronę. Mówi o stanie usługi, a nie o jej nazwie ani adresie.',
    make: 'Utwórz odznakę',
    metric: 'Pokazuje',
    metrics: { state: 'Stan', uptime: 'Dostępność', response_time: 'Czas odpowiedzi' },
    days: 'Dni',
    markdown: 'Markdown',
    html: 'HTML',
    frame: 'Ramka HTML',
    off: 'Wyłącz',
    offText: 'Obrazka nie będzie już nigdzie. Nowa odznaka dostanie inny adres.',
    preview: 'Podgląd',
    alt: 'Stan usługi',
  },
})
