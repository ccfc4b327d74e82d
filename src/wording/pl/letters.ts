import type { LetterTexts } from '../catalogue.ts'

export const letters: LetterTexts = {
  activation: {
    subject: 'Aktywacja konta {username}',
    text: `Dzień dobry,

ktoś podał ten adres, zakładając konto {username}. Jeśli to Ty, otwórz odnośnik, aby aktywować konto:

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
}
