/** The pages of the shop, its panel and the branch. */

const style = `
:root { color-scheme: light; font: 17px/1.55 Georgia, 'Times New Roman', serif; color: #17324a; background: #f3efe6 }
body { margin: 0 } main { max-width: 60rem; margin: 0 auto; padding: 2rem 1.25rem }
header { background: #17324a; color: #f3efe6 } header div { max-width: 60rem; margin: 0 auto; padding: 1rem 1.25rem; display: flex; gap: 1rem; align-items: center }
header strong { font-size: 1.35rem; letter-spacing: .02em } header a { color: inherit; margin-left: auto }
ul.goods { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 1rem; padding: 0; list-style: none }
ul.goods li { background: #fff; border: 1px solid #d9d2c2; border-radius: 6px; padding: 1rem } ul.goods b { display: block }
form { background: #fff; border: 1px solid #d9d2c2; border-radius: 6px; padding: 1.25rem; max-width: 22rem } label { display: block; margin-bottom: .75rem }
input { font: inherit; width: 100%; box-sizing: border-box; padding: .35rem } button { font: inherit; padding: .4rem 1.2rem; background: #b5452c; color: #fff; border: 0; border-radius: 4px }
.error { border-left: 5px solid #b5452c; padding-left: 1rem }`

/** A sail and its shade. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="42" height="42"><path d="M22 4v32H6z" fill="#f3efe6"/><path d="M26 10v26h15z" fill="#b5452c"/><path d="M4 39h40l-5 6H9z" fill="#8fb3c9"/></svg>`

export const assets: Readonly<Record<string, { readonly type: string; readonly text: string }>> = {
  '/style.css': { type: 'text/css', text: style },
  '/logo.svg': { type: 'image/svg+xml', text: logo },
  '/koszyk.js': { type: 'text/javascript', text: "document.documentElement.dataset.basket = 'ready'\n" },
}

function page(language: string, title: string, body: string): string {
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="stylesheet" href="/style.css"><link rel="icon" href="/logo.svg"></head>
<body><header><div><img src="/logo.svg" alt="" width="42" height="42"><strong>Żaglownia Hel</strong><a href="/koszyk">Koszyk</a></div></header>
<main>${body}</main><script src="/koszyk.js"></script></body></html>
`
}

const goods = [
  ['Fok sztormowy', 'od 1 890 zł'],
  ['Grot dakronowy', 'od 3 240 zł'],
  ['Genua laminatowa', 'od 5 100 zł'],
  ['Pokrowiec na bom', '420 zł'],
  ['Worek na żagle', '160 zł'],
  ['Zestaw naprawczy', '75 zł'],
] as const

const login = page(
  'pl',
  'Panel sklepu',
  `<h1>Panel sklepu</h1><form method="post" action="/panel/login">
<label>Użytkownik <input name="username" id="username" autocomplete="off"></label>
<label>Hasło <input name="password" type="password" id="password"></label>
<button type="submit" id="enter">Zaloguj</button></form>`,
)

const orders = page(
  'pl',
  'Zamówienia',
  '<h1>Zamówienia</h1><ol><li class="order">Fok sztormowy, Gdynia</li><li class="order">Grot, Świnoujście</li><li class="order">Genua, Falmouth</li></ol>',
)

export const pages: Readonly<Record<string, string>> = {
  '/': page(
    'pl',
    'Żagle szyte na miarę',
    `<h1>Żagle szyte na miarę</h1><p>Od 1987 w Jastarni. Kroimy, szyjemy, naprawiamy.</p><ul class="goods">${goods
      .map(([name, price]) => `<li><b>${name}</b>${price}</li>`)
      .join('')}</ul>`,
  ),
  '/koszyk': page('pl', 'Koszyk', '<h1>Koszyk</h1><p>Jest pusty. <a href="/">Wróć do sklepu</a></p>'),
  '/uk/': page('en', 'Sails made to measure', '<h1>Sails made to measure</h1><p>Falmouth, Cornwall. Since 2009.</p>'),
  '/staging/': page('pl', 'Wersja testowa', '<h1>Wersja testowa</h1><p>Tu nic nie kupisz.</p>'),
  '/panel/login': login,
  '/panel/zamowienia': orders,
}

/** The form without its button, which is how the panel fails. */
export const brokenLogin = login.replace(/<button.*<\/button>/, '')

export const unavailablePage = page(
  'pl',
  'Przerwa',
  `<div class="error"><h1>Sklep chwilowo nie działa</h1><p>Baza danych nie odpowiada (503). Pracujemy nad tym; zamówienia złożone wcześniej są bezpieczne.</p></div>`,
)
