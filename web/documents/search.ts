import MiniSearch, { type Options, type SearchResult } from 'minisearch'

interface Found extends SearchResult {
  readonly id: string
  readonly shownPage: string
  readonly shownHeading: string
  readonly excerpt: string
  readonly language: string
}

interface Index {
  readonly language: string
  readonly search: MiniSearch
}

const most = 12

/** As the index is made (src/domain/plain-letters.ts): `Łódź` is found as `lodz`. */
function folded(text: string): string {
  return text.replaceAll('ł', 'l').replaceAll('Ł', 'L').normalize('NFKD').replaceAll(/\p{M}/gu, '')
}

async function load(root: string, language: string): Promise<Index> {
  const answer = await fetch(`${root}search-${language}.json`)
  if (!answer.ok) throw new Error(`search-${language}.json: ${answer.status}`)
  const { options, index } = (await answer.json()) as {
    options: Options
    index: Parameters<typeof MiniSearch.loadJS>[0]
  }
  return { language, search: MiniSearch.loadJS(index, options) }
}

/** The results of each language are ordered by how well they fit; those in the reader's language come first. */
function find(indexes: readonly Index[], query: string): readonly Found[] {
  return indexes.flatMap(({ language, search }) =>
    search
      .search(folded(query), {
        ...{ prefix: true, fuzzy: 0.15, combineWith: 'AND', boost: { page: 3, heading: 4 } },
        boostDocument: (_address, _term, stored) => Number(stored?.['weight'] ?? 1),
      })
      .slice(0, most)
      .map((result) => ({ ...(result as Found), language })),
  )
}

function itemOf(found: Found, root: string, note: string): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = root + found.id
  link.lang = found.language
  const title = document.createElement('strong')
  title.textContent = found.shownHeading === '' ? found.shownPage : `${found.shownPage} › ${found.shownHeading}`
  const text = document.createElement('span')
  text.textContent = found.excerpt
  link.append(title)
  if (note !== '') {
    const mark = document.createElement('em')
    mark.textContent = note
    link.append(' ', mark)
  }
  link.append(text)
  item.append(link)
  return item
}

/** Arrows move from the field through the links; Escape closes. */
function addKeys(form: HTMLFormElement, field: HTMLInputElement, close: () => void): void {
  document.addEventListener('keydown', (event) => {
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]') !== null
    if (event.key !== '/' || isTyping) return
    event.preventDefault()
    field.focus()
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    const stops: (Element | null)[] = [field, ...form.querySelectorAll('a')]
    const at = stops.indexOf(document.activeElement)
    const next = stops[at + (event.key === 'ArrowDown' ? 1 : -1)]
    if (next instanceof HTMLElement) next.focus()
    event.preventDefault()
  })
}

/** Shows the field and searches while people type. The indexes are loaded when the field is first used. */
export function addSearch(form: HTMLFormElement): void {
  const field = form.querySelector('input')
  const box = form.querySelector<HTMLElement>('#results')
  const [status, list] = [box?.querySelector('p'), box?.querySelector('ul')]
  if (field === null || box === null || status === null || list === null || !status || !list) return
  const { root = '', language = 'en', none = '', failed = '', english = '' } = form.dataset
  let indexes: Promise<readonly Index[]> | undefined
  const languages = language === 'en' ? ['en'] : [language, 'en']
  const ready = () => {
    indexes ??= Promise.all(languages.map((name) => load(root, name)))
    return indexes
  }
  const show = async () => {
    const query = field.value.trim()
    if (query === '') return close()
    try {
      const found = find(await ready(), query)
      if (field.value.trim() !== query) return
      list.replaceChildren(...found.map((one) => itemOf(one, root, one.language === language ? '' : english)))
      status.textContent = found.length === 0 ? none : ''
    } catch {
      indexes = undefined
      status.textContent = failed
    }
    box.hidden = false
  }
  const close = () => {
    box.hidden = true
    field.focus()
  }
  field.addEventListener('focus', () => void ready().catch(() => undefined), { once: true })
  field.addEventListener('input', () => void show())
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    list.querySelector('a')?.click()
  })
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !form.contains(target)) box.hidden = true
  })
  addKeys(form, field, close)
  form.hidden = false
}
