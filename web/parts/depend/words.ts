import { catalogue, countedPl } from '../../words/words.ts'

/** Texts about services that depend on each other. */
export const dependWords = catalogue({
  en: {
    title: 'Dependencies',
    parents: 'Depends on',
    impact: (count: string, many: number) =>
      many === 1 ? `${count} service depends on this` : `${count} services depend on this`,
    atLeast: (count: number) => `At least ${count}`,
    and: 'and others',
    heldBy: 'Nobody is notified, because this has failed too:',
    heldShort: 'Held because of',
    other: (id: number) => `service ${id}`,
    hint: 'While one of these has failed, nobody is notified of failures of this service. They are recorded as usual.',
  },
  pl: {
    title: 'Zależności',
    parents: 'Zależy od',
    impact: (count: string, many: number) =>
      `${count} ${countedPl(many, 'usługa zależy', 'usługi zależą', 'usług zależy')} od tej`,
    atLeast: (count: number) => `Co najmniej ${count}`,
    and: 'i inne',
    heldBy: 'Nikt nie jest powiadamiany, bo awarię ma też:',
    heldShort: 'Cisza, bo awarię ma',
    other: (id: number) => `usługa ${id}`,
    hint: 'Dopóki któraś z nich ma awarię, o awariach tej usługi nikt nie jest powiadamiany. Zapisywane są jak zawsze.',
  },
})
