import { catalogue, counted, countedPl } from '../../words/words.ts'

export const notificationsWords = catalogue({
  en: {
    title: 'Notifications',
    about: 'Every group tells its addresses when one of its services fails, and when it works again.',
    what: 'the addresses',
    templates: 'Templates of messages',
    settings: {
      title: 'For the whole account',
      contactsAlone: 'Tell contacts only',
      contactsAloneText:
        'Failures are told to contacts and by escalations alone; the addresses of groups above are told nothing.',
      gather: 'Gather the messages of a storm',
      gatherText:
        'When many services fail or recover within a minute, people get one digest for each address with the list of them. Webhooks and the like still get every message.',
      threshold: 'More than this many services within a minute',
      inForce: 'The account notifies contacts only: nothing is sent to these addresses of groups.',
      save: 'Save the settings',
      saved: 'Saved.',
    },
    add: 'Add an address',
    addTo: (name: string) => `Add an address of ${name}`,
    noneTitle: 'Nobody is told yet',
    noneText: 'Add the address of somebody who wants to know when a service fails.',
    hears: (count: number, group: string) =>
      `${count} ${counted(count, 'address hears', 'addresses hear')} of ${group}`,
    nobody: (group: string) => `Nobody hears of ${group}`,
    namedAlone: (group: string) => `${group} tells contacts alone`,
    /** `escalation`: its name, empty while it is being read; null: there is none. */
    beside: (people: number, escalation: string | null) =>
      [
        people === 0 ? '' : `${people} ${counted(people, 'contact or contact group', 'contacts or contact groups')}`,
        escalation === null ? '' : escalation === '' ? 'an escalation' : `the escalation ${escalation}`,
      ]
        .filter((part) => part !== '')
        .join(' and '),
    onlyTags: 'Only services with one of the tags',
    onlyTagsHint: 'Nothing chosen: all services of the group.',
    onlyWith: (tags: readonly string[]) => `only services tagged ${tags.join(', ')}`,
    byTag: 'By tag',
    byTagText: 'Contacts who are notified of every service with the tag, whichever group it is in.',
    tagContacts: 'Contacts…',
    tagTells: (people: number) =>
      people === 0
        ? 'nobody'
        : `${people} ${counted(people, 'contact or contact group', 'contacts or contact groups')}`,
    contactsToo: 'Contacts and escalation…',
    channel: 'Channel',
    address: 'Address',
    group: 'Group',
    push: {
      about:
        'This browser shows a notification for each message, also while the console is closed. Each browser and phone is an address of its own.',
      ask: 'Use this browser',
      asking: 'Asking the browser…',
      ready: 'This browser is ready: save the address.',
      problems: {
        unsupported:
          'This browser cannot show notifications of web pages. On an iPhone, add the console to the home screen first.',
        insecure: 'Browsers allow it over https only (or on localhost).',
        denied:
          'Notifications of this page are switched off in the browser. Allow them beside the address, then try again.',
        failed: 'The push service of the browser cannot be reached. Some browsers and networks block it.',
      },
    },
    pasted: 'Or paste a URL',
    pastedHint: 'The URL that Slack, ntfy and others give you shows which channel it belongs to.',
    optional: (label: string) => `${label} (optional)`,
    keptSecret: 'saved, not shown',
    enabled: 'Send messages to this address',
    disabled: 'Switched off: nothing is sent here.',
    unheard: (channel: string, count: number) =>
      `${count} ${counted(count, 'service of this group does', 'services of this group do')} not notify by ${channel}.`,
    useIt: 'Notify by it',
    forExisting: (channel: string, count: number) =>
      `Let ${count === 1 ? 'the service' : `the ${count} services`} of this group notify by ${channel} too`,
    description: 'Note',
    unconfirmed: 'Not confirmed: nothing is sent here.',
    confirm: 'Confirm',
    confirmTitle: 'Confirm the address',
    confirmText: (address: string) => `A code was sent to ${address}. Enter it here.`,
    noCode: (address: string) =>
      `No code went to ${address} within a day: too many had gone there, or from this account. Ask for one later.`,
    code: 'Code',
    sendCode: 'Send a new code',
    codeSent: 'A new code is on its way.',
    confirmed: 'Confirmed.',
    edit: 'Change',
    editTitle: 'Change the address',
    remove: 'Remove',
    removeTitle: (address: string) => `Remove ${address}?`,
    removeText: 'Nothing more will be sent to it.',
    test: 'Send a test',
    save: 'Save',
    deliveries: 'Deliveries',
    onlyFailed: 'Not delivered only',
    noDeliveries: 'Nothing was sent in the last 40 days.',
    older: 'Older',
    service: (id: number) => `Service ${id}`,
    states: { pending: 'waiting', sent: 'sent', failed: 'not delivered' },
    attempts: (count: number) => `${count} ${counted(count, 'attempt', 'attempts')}`,
    forbidden: 'You may not read what was sent.',
  },
  pl: {
    title: 'Powiadomienia',
    about: 'Każda grupa powiadamia swoje adresy, gdy jej usługa ulega awarii i gdy znów działa.',
    what: 'adresy',
    templates: 'Szablony wiadomości',
    settings: {
      title: 'Dla całego konta',
      contactsAlone: 'Powiadamiaj tylko kontakty',
      contactsAloneText:
        'O awariach dowiadują się tylko kontakty i eskalacje; adresy grup powyżej nie dostają powiadomień.',
      gather: 'Zbieraj wiadomości przy burzy awarii',
      gatherText:
        'Gdy w ciągu minuty wiele usług ulega awarii albo wraca, ludzie dostają na każdy adres jedną wiadomość z ich listą. Webhooki i podobne dostają nadal każdą.',
      threshold: 'Więcej niż tyle usług w ciągu minuty',
      inForce: 'Konto powiadamia tylko kontakty: te adresy grup nie dostają powiadomień.',
      save: 'Zapisz ustawienia',
      saved: 'Zapisano.',
    },
    add: 'Dodaj adres',
    addTo: (name: string) => `Dodaj adres: ${name}`,
    noneTitle: 'Nikt nie jest jeszcze powiadamiany',
    noneText: 'Dodaj adres kogoś, kto chce wiedzieć o awariach.',
    hears: (count: number, group: string) =>
      `${group}: ${count} ${countedPl(count, 'powiadamiany adres', 'powiadamiane adresy', 'powiadamianych adresów')}`,
    nobody: (group: string) => `${group}: nikt nie jest powiadamiany`,
    namedAlone: (group: string) => `${group}: powiadamiane są tylko kontakty`,
    /** `escalation`: its name, empty while it is being read; null: there is none. */
    beside: (people: number, escalation: string | null) =>
      [
        people === 0
          ? ''
          : `${people} ${countedPl(people, 'kontakt lub grupa', 'kontakty lub grupy', 'kontaktów lub grup')}`,
        escalation === null ? '' : `eskalacja ${escalation}`.trim(),
      ]
        .filter((part) => part !== '')
        .join(' i '),
    onlyTags: 'Tylko usługi z jedną z etykiet',
    onlyTagsHint: 'Nic nie wybrano: wszystkie usługi grupy.',
    onlyWith: (tags: readonly string[]) => `tylko usługi z etykietą ${tags.join(', ')}`,
    byTag: 'Według etykiet',
    byTagText: 'Kontakty, które wiedzą o każdej usłudze z etykietą, w jakiejkolwiek jest grupie.',
    tagContacts: 'Kontakty…',
    tagTells: (people: number) =>
      people === 0
        ? 'nikt'
        : `${people} ${countedPl(people, 'kontakt lub grupa kontaktów', 'kontakty lub grupy kontaktów', 'kontaktów lub grup kontaktów')}`,
    contactsToo: 'Kontakty i eskalacja…',
    channel: 'Kanał',
    address: 'Adres',
    group: 'Grupa',
    push: {
      about:
        'Ta przeglądarka pokaże powiadomienie o każdej wiadomości, także gdy konsola jest zamknięta. Każda przeglądarka i każdy telefon to osobny adres.',
      ask: 'Użyj tej przeglądarki',
      asking: 'Pytanie przeglądarki…',
      ready: 'Ta przeglądarka jest gotowa: zapisz adres.',
      problems: {
        unsupported:
          'Ta przeglądarka nie pokazuje powiadomień stron. Na iPhonie dodaj najpierw konsolę do ekranu początkowego.',
        insecure: 'Przeglądarki pozwalają na to tylko przez https (lub na localhost).',
        denied: 'Powiadomienia tej strony są wyłączone w przeglądarce. Zezwól na nie obok adresu i spróbuj ponownie.',
        failed: 'Usługa push przeglądarki jest nieosiągalna. Niektóre przeglądarki i sieci ją blokują.',
      },
    },
    pasted: 'Albo wklej adres URL',
    pastedHint: 'Adres otrzymany od Slacka, ntfy i podobnych sam wskazuje kanał.',
    optional: (label: string) => `${label} (opcjonalnie)`,
    keptSecret: 'zapisane, niepokazywane',
    enabled: 'Wiadomości są tam wysyłane',
    disabled: 'Wyłączony: nie dostaje powiadomień.',
    unheard: (channel: string, count: number) =>
      `${count} ${countedPl(count, 'usługa tej grupy nie powiadamia', 'usługi tej grupy nie powiadamiają', 'usług tej grupy nie powiadamia')} przez ${channel}.`,
    useIt: 'Powiadamiaj tym kanałem',
    forExisting: (channel: string, count: number) =>
      `${count} ${countedPl(count, 'usługa tej grupy też ma', 'usługi tej grupy też mają', 'usług tej grupy też ma')} powiadamiać przez ${channel}`,
    description: 'Notatka',
    unconfirmed: 'Niepotwierdzony: nie dostaje powiadomień.',
    confirm: 'Potwierdź',
    confirmTitle: 'Potwierdź adres',
    confirmText: (address: string) => `Na ${address} wysłano kod. Wpisz go tutaj.`,
    noCode: (address: string) =>
      `W ciągu doby na ${address} nie wysłano kodu: za dużo kodów wysłano już tam albo z tego konta. Poproś o kod później.`,
    code: 'Kod',
    sendCode: 'Wyślij nowy kod',
    codeSent: 'Nowy kod jest w drodze.',
    confirmed: 'Potwierdzono.',
    edit: 'Zmień',
    editTitle: 'Zmień adres',
    remove: 'Usuń',
    removeTitle: (address: string) => `Usunąć ${address}?`,
    removeText: 'Nie dostanie już żadnego powiadomienia.',
    test: 'Wyślij próbną',
    save: 'Zapisz',
    deliveries: 'Doręczenia',
    onlyFailed: 'Tylko niedoręczone',
    noDeliveries: 'W ostatnich 40 dniach nic nie wysłano.',
    older: 'Starsze',
    service: (id: number) => `Usługa ${id}`,
    states: { pending: 'czeka', sent: 'wysłane', failed: 'niedoręczone' },
    attempts: (count: number) => `${count} ${countedPl(count, 'próba', 'próby', 'prób')}`,
    forbidden: 'Nie masz prawa czytać, co wysłano.',
  },
})
