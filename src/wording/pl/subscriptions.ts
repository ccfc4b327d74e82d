import type { SubscriptionTexts } from '../subscription-texts.ts'

export const subscriptions: SubscriptionTexts = {
  kind_published: 'Nowy incydent: {name} ({status})',
  kind_updated: 'Aktualizacja: {name} ({status})',
  kind_resolved: 'Rozwiązano: {name}',
  kind_scheduled: 'Planowane prace: {name}',
  kind_started: 'Prace się zaczęły: {name}',
  kind_completed: 'Prace się skończyły: {name}',
  kind_cancelled: 'Prace są odwołane: {name}',
  way_email: 'E-mail',
  way_webhook: 'Webhook',
  way_slack: 'Slack',
  way_teams: 'Microsoft Teams',
  way_discord: 'Discord',
  way_web_push: 'Ta przeglądarka',
  hint_email: 'ty@example.com',
  hint_webhook: 'https://example.com/hooks/status',
  hint_slack: 'https://hooks.slack.com/services/…',
  hint_teams: 'adres URL przepływu pracy',
  hint_discord: 'https://discord.com/api/webhooks/…',
  confirm_subject: 'Potwierdź subskrypcję strony statusu',
  confirm_text: `Dzień dobry,

ktoś poprosił, żeby wysyłać tutaj wiadomości o tej stronie statusu:

{page}

Jeśli to Ty, otwórz odnośnik i naciśnij przycisk:

{link}

Odnośnik działa przez trzy dni. Jeśli to nie Ty, nic nie rób: nie wyślemy nic więcej i zapomnimy ten adres.`,
  links_subject: 'Twoja subskrypcja strony statusu',
  links_text: `Dzień dobry,

wiadomości o tej stronie statusu już są wysyłane tutaj:

{page}

Tu można zmienić wybór albo zrezygnować:

{link}`,
  notice_subject: '[{page}] {name}: {status}',
  footer: `Subskrybujesz stronę {page}. Zmień wybór albo zrezygnuj:
{link}`,
  planned: 'Planowane: {from} – {until} ({zone})',
  since: 'Od: {since} ({zone})',
  until: 'Do: {until} ({zone})',
  subscribe: 'Subskrybuj',
  subscribe_title: 'Subskrybuj tę stronę',
  subscribe_intro: 'Powiadomimy o incydentach i pracach: gdy się zaczną, zmienią i skończą.',
  way: 'Sposób',
  address: 'Adres',
  choice: 'O czym',
  everything: 'O wszystkim',
  some: 'Tylko o tych częściach:',
  privacy:
    'Przechowujemy adres i wybór, wyłącznie na potrzeby tych wiadomości. Niepotwierdzony adres zapominamy po trzech dniach, a po rezygnacji od razu.',
  other_ways: 'Bez adresu:',
  browser_link: 'powiadomienia tej przeglądarki',
  send: 'Subskrybuj',
  back: 'Wróć do strony',
  wrong_address: 'Adres nie pasuje do wybranego sposobu.',
  nothing_chosen: 'Wybierz co najmniej jedną część.',
  too_many: 'Z Twojej sieci przyszło zbyt wiele próśb. Spróbuj ponownie za {seconds} s.',
  page_full: 'Strona nie przyjmuje teraz więcej subskrypcji.',
  asked_title: 'Teraz potwierdź',
  asked:
    'Jeśli adres przyjmuje wiadomości, odnośnik jest już w drodze. Otwórz go w ciągu trzech dni; do tego czasu nie wyślemy nic innego.',
  webhook_asked:
    'Jeśli adres prowadzi do serwera publicznego, serwer dostaje teraz zapytanie typu subscription.challenge. Musi odpowiedzieć {"challenge": "…"} z wartością data.challenge. Adres, który już subskrybuje, pozostaje bez zmian.',
  webhook_secret: 'Sekret, który podpisuje nasze zapytania (Standard Webhooks). Pokazujemy go tylko raz:',
  confirm_title: 'Potwierdź subskrypcję',
  confirm_asked: 'Naciśnij przycisk, aby wiadomości o stronie {page} przychodziły na {address}.',
  confirm: 'Potwierdź',
  confirmed_title: 'Subskrypcja działa',
  confirmed:
    'Wiadomości o stronie {page} przychodzą teraz na {address}. W każdej jest odnośnik do zmiany i rezygnacji.',
  manage_title: 'Twoja subskrypcja',
  told_at: '{way}: {address}',
  not_confirmed: 'Nie jest jeszcze potwierdzona, więc nic nie wysyłamy.',
  disabled: 'Nic już nie wysyłamy: adres odrzucił nasze wiadomości. Aby to zmienić, zasubskrybuj ponownie.',
  save: 'Zapisz wybór',
  saved: 'Wybór zapisano.',
  leave: 'Zrezygnuj',
  leave_title: 'Rezygnacja',
  leave_asked: 'Naciśnij przycisk, a na {address} nic już nie przyjdzie. Adres od razu zapomnimy.',
  left_title: 'Zrezygnowano',
  left: 'Adres zapomnieliśmy i nic więcej nie wyślemy.',
  broken_title: 'Odnośnik wygasł',
  broken: 'Może być zbyt stary albo adres już zrezygnował. Można zasubskrybować ponownie.',
  browser_title: 'Powiadomienia tej przeglądarki',
  browser_intro: 'Przeglądarka pokazuje incydenty i prace tej strony, także gdy jest zamknięta.',
  browser_allow: 'Zezwól na powiadomienia',
  browser_needs_script: 'To wymaga JavaScriptu. Pozostałe sposoby działają bez niego.',
  browser_refused: 'Przeglądarka nie pozwala tej stronie na powiadomienia. Można to zmienić w jej ustawieniach.',
  browser_unable:
    'Ta przeglądarka nie pokaże powiadomień. Na iPhonie i iPadzie najpierw dodaj stronę do ekranu początkowego.',
  browser_wait: 'Chwileczkę…',
  browser_done: 'Prawie gotowe: gdy wszystko zadziała, przeglądarka pokaże pierwsze powiadomienie.',
}
