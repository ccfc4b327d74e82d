import type { Page } from 'playwright-core'

/** A page of the console without its script. */
export interface Picture {
  readonly style: string
  readonly body: string
  /** HTML of the rows that were on the screen. */
  readonly rows: readonly string[]
}

/** Rows that wait for their page are left out. */
export function pictureOf(page: Page): Promise<Picture> {
  return page.evaluate(`(async () => {
    const sheets = [...document.querySelectorAll('link[rel=stylesheet]')].map(({ href }) => fetch(href).then((answer) => answer.text()))
    const whole = document.body.cloneNode(true)
    for (const script of whole.querySelectorAll('script')) script.remove()
    const rows = [...whole.querySelectorAll('.rows > .table-row')].filter((row) => row.querySelector('.name-link') !== null)
    whole.querySelector('.rows').replaceChildren()
    return { style: (await Promise.all(sheets)).join(''), body: whole.innerHTML, rows: rows.map(({ outerHTML }) => outerHTML) }
  })()`)
}

/** The least cost of scrolling: the same page, with its rows copied from the picture by the fewest lines of script. */
export async function drawBareList(page: Page, { style, body, rows }: Picture, total: number): Promise<void> {
  if (rows.length === 0) throw new Error('The picture has no rows.')
  await page.setContent(`<!doctype html><style>${style}</style>${body}`)
  await page.evaluate(`((samples) => {
    const list = document.querySelector('.rows'), drawn = new Map(), height = 52
    const source = document.createElement('div')
    source.innerHTML = samples.join('')
    const patterns = [...source.children]
    function draw() {
      const top = scrollY - list.offsetTop
      const first = Math.max(0, Math.floor(top / height) - 8), last = Math.min(${total - 1}, Math.ceil((top + innerHeight) / height) + 8)
      for (const [index, row] of drawn) if (index < first || index > last) { row.remove(); drawn.delete(index) }
      for (let index = first; index <= last; index++) {
        if (drawn.has(index)) continue
        const row = patterns[index % patterns.length].cloneNode(true)
        row.style.transform = 'translateY(' + index * height + 'px)'
        row.querySelector('.name-link').textContent = 'Service ' + index
        list.append(row)
        drawn.set(index, row)
      }
    }
    addEventListener('scroll', draw, { passive: true })
    draw()
  })(${JSON.stringify(rows)})`)
}
