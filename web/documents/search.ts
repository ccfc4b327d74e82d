import { type Found, find, type Index, loadIndexes, titleOf } from './find.ts'

const most = 12

function itemOf(found: Found, root: string, note: string): HTMLLIElement {
  const item = document.createElement('li')
  const link = document.createElement('a')
  link.href = root + found.id
  link.lang = found.language
  const title = document.createElement('strong')
  title.textContent = titleOf(found)
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
  const ready = () => {
    indexes ??= loadIndexes(root, language)
    return indexes
  }
  const show = async () => {
    const query = field.value.trim()
    if (query === '') return close()
    try {
      const found = find(await ready(), query, most)
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
