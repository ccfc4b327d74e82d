import type { Language } from './language.ts'

/**
 * Why a message was not delivered: the stored English form, and Polish. A text in braces is translated by the same
 * table.
 */
const sentences: readonly (readonly [kept: string, pl: string])[] = [
  ['{who} was not reached: {why}', '{who}: brak połączenia: {why}'],
  ["{who}'s answer was not seen: {why}", '{who}: nie doczekano się odpowiedzi: {why}'],
  [
    "{who}'s answer was not seen (part {part} of {count}): {why}",
    '{who}: nie doczekano się odpowiedzi (część {part} z {count}): {why}',
  ],
  ['{who} answered {code}: {said}', '{who}: odpowiedź {code}: {said}'],
  ['{who} answered {code}', '{who}: odpowiedź {code}'],
  ['{who} refused the message: {why}', '{who}: wiadomość odrzucona: {why}'],
  ['{who} hung up', '{who}: połączenie zerwane'],
  ['It could not be delivered within 24 hours: {why}', 'Nie udało się jej doręczyć w ciągu 24 godzin: {why}'],
  ['It could not be delivered within 24 hours', 'Nie udało się jej doręczyć w ciągu 24 godzin'],
  ['The address is not confirmed', 'Adres nie jest potwierdzony'],
  ['No gateway is configured for the channel {channel}', 'Dla kanału {channel} nie skonfigurowano bramki'],
  [
    'No mail server is configured (SMTP_URL): the message was written to a file in the outbox of the server and went no further',
    'Nie skonfigurowano serwera poczty (SMTP_URL): wiadomość zapisano w pliku w katalogu outbox serwera i nie poszła dalej',
  ],
  [
    'The account has sent as many SMS today (UTC) as it may: {count}',
    'Konto wysłało dziś (UTC) tyle SMS-ów, ile może: {count}',
  ],
  [
    'All accounts together have sent as many SMS today (UTC) as they may: {count}',
    'Wszystkie konta razem wysłały dziś (UTC) tyle SMS-ów, ile mogą: {count}',
  ],
  [
    'the group has become a supergroup: set its chat to {chat}',
    'grupa stała się supergrupą: wpisz jej nowy czat, {chat}',
  ],
  ['The address is switched off', 'Adres jest wyłączony'],
  ['The address was removed or changed', 'Adres usunięto lub zmieniono'],
  ['the address is not a public one', 'adres nie jest publiczny'],
  ['self-signed certificate', 'certyfikat podpisany samodzielnie'],
  ['The channel does not take messages of this kind', 'Kanał nie przyjmuje takich wiadomości'],
  ['the server found no address to notify', 'serwer nie znalazł adresu do powiadomienia'],
  ['The outbox cannot be written: {why}', 'Nie można zapisać do katalogu outbox: {why}'],
  ['The connection to the mail server ended', 'Połączenie z serwerem poczty zostało zerwane'],
  ['{what} is not a telephone number', '{what} nie jest numerem telefonu'],
  ['{what} is not a Jabber address', '{what} nie jest adresem Jabbera'],
  ['{what} is not a Gadu-Gadu number', '{what} nie jest numerem Gadu-Gadu'],
  ['{what} is not an e-mail address', '{what} nie jest adresem e-mail'],
  ['The SMS gateway', 'Bramka SMS'],
  ['The Gadu-Gadu gateway', 'Bramka Gadu-Gadu'],
  ['The mail server', 'Serwer poczty'],
  ['The XMPP server', 'Serwer XMPP'],
  ['The message centre', 'Centrum wiadomości'],
  ['the gateway hung up', 'bramka zerwała połączenie'],
  ['the gateway took too long', 'bramka odpowiadała zbyt długo'],
  ['the gateway did not accept the connection in time', 'bramka nie przyjęła połączenia na czas'],
  ['the connection was lost', 'połączenie zostało zerwane'],
  ['it did not answer in time', 'nie odpowiedział na czas'],
  ['it hung up', 'zerwał połączenie'],
  // Messages of nodemailer and Node.js.
  ['connect ECONNREFUSED {where}', 'połączenie odrzucone ({where})'],
  ['connect ETIMEDOUT {where}', 'brak odpowiedzi na próbę połączenia ({where})'],
  ['getaddrinfo ENOTFOUND {where}', 'nie znaleziono nazwy {where}'],
  ['Connection timeout', 'połączenie nie powstało na czas'],
  ['Greeting never received', 'serwer się nie przedstawił'],
  ['Invalid login: {said}', 'serwer odrzucił logowanie: {said}'],
  ["Can't send mail - all recipients were rejected: {said}", 'serwer odrzucił odbiorcę: {said}'],
]

function patternOf(kept: string): RegExp {
  const escaped = kept.replace(/[.*+?^$()|[\]\\]/g, '\\$&')
  return new RegExp(`^${escaped.replaceAll(/\{(\w+)\}/g, '(?<$1>.+?)')}$`, 's')
}

const patterns = sentences.map(([kept, pl]) => ({ pattern: patternOf(kept), pl }))

/** The stored form for readers of English. A message of the gateway or server itself is not translated. */
export function deliveryErrorText(kept: string, language: Language): string {
  if (language === 'en') return kept
  for (const { pattern, pl } of patterns) {
    const parts = pattern.exec(kept)
    if (parts !== null)
      return pl.replaceAll(/\{(\w+)\}/g, (_, name: string) => deliveryErrorText(parts.groups?.[name] ?? '', language))
  }
  return kept
}
