import { catalogue } from '../../words/words.ts'

/** Texts of corrections of the history. */
export const correctWords = catalogue({
  en: {
    title: 'Correct the history',
    changeTitle: 'Change the correction',
    removeTitle: 'Delete the correction?',
    text: 'The service level counts this time as chosen. What was checked stays as it is.',
    removeText: 'This time counts again as it was judged.',
    countAs: 'Count as',
    notMonitoredHint: '“Not monitored” leaves the time out of the service level.',
    from: 'From',
    to: 'To',
    reason: 'Reason',
    reasonHint: 'Everybody who sees the service can read it.',
    over: 'Service level of the shown range',
    overMonth: 'Service level of the last 30 days',
    levels: (before: string, after: string) => `${before} → ${after}`,
    noLevel: 'nothing known',
    outside: 'This time lies outside the range: its service level does not change.',
    lasting:
      'It still lasts. Only the time up to “To” is corrected; what follows counts as it is judged. Correct it again once it is over, or set “To” in the future.',
    ahead: (state: string) =>
      `“To” is in the future. Until then every second counts as ${state}, whatever the checks find. Notifications are sent as before.`,
    backwards: 'The end comes after the start.',
    save: 'Save',
    remove: 'Delete',
    states: { ok: 'OK', failure: 'Failure', paused: 'Not monitored' },
  },
  pl: {
    title: 'Popraw historię',
    changeTitle: 'Zmień poprawkę',
    removeTitle: 'Usunąć poprawkę?',
    text: 'Dostępność liczy ten czas tak, jak wybierzesz. To, co sprawdzono, zostaje bez zmian.',
    removeText: 'Ten czas znów liczy się tak, jak go oceniono.',
    countAs: 'Licz jako',
    notMonitoredHint: '„Bez monitorowania” pomija ten czas w dostępności.',
    from: 'Od',
    to: 'Do',
    reason: 'Powód',
    reasonHint: 'Przeczyta go każdy, kto widzi usługę.',
    over: 'Dostępność z pokazanego zakresu',
    overMonth: 'Dostępność z ostatnich 30 dni',
    levels: (before: string, after: string) => `${before} → ${after}`,
    noLevel: 'nic nie wiadomo',
    outside: 'Ten czas leży poza zakresem: jego dostępność się nie zmieni.',
    lasting:
      'To jeszcze trwa. Poprawiony będzie tylko czas do chwili „Do”; co potem, liczy się tak, jak zostanie ocenione. Popraw jeszcze raz po zakończeniu albo ustaw „Do” w przyszłości.',
    ahead: (state: string) =>
      `„Do” jest w przyszłości. Do tej chwili każda sekunda liczy się jako ${state}, bez względu na wyniki sprawdzeń. Powiadomienia będą wysyłane jak dotąd.`,
    backwards: 'Koniec następuje po początku.',
    save: 'Zapisz',
    remove: 'Usuń',
    states: { ok: 'Działa', failure: 'Awaria', paused: 'Bez monitorowania' },
  },
})
