/**
 * Functions that run in the page. Each is sent there as text, so it may use nothing from outside and contain no named
 * functions (some compilers mark those with a function of their own). The types are the small part of the page that
 * they touch; the program itself knows no document.
 */

export interface PageElement {
  readonly localName: string
  readonly isContentEditable?: boolean
  readonly type?: string
  readonly parentNode: PageElement | null
  /** On a shadow root. */
  readonly host?: PageElement
  value?: string
  readonly isConnected: boolean
  readonly clientLeft: number
  readonly clientTop: number
  readonly shadowRoot?: PageRoot | null
  readonly ownerDocument: PageRoot & {
    readonly documentElement: { readonly clientWidth: number; readonly clientHeight: number }
  }
  getBoundingClientRect(): {
    readonly left: number
    readonly top: number
    readonly width: number
    readonly height: number
  }
  getClientRects(): { readonly length: number }
  matches(selector: string): boolean
  checkVisibility(how: { readonly visibilityProperty: true }): boolean
  getAttribute(name: string): string | null
  dispatchEvent(event: Event): boolean
  scrollTo(place: ScrollPosition): void
  focus?(): void
  select?(): void
  getRootNode(): { readonly activeElement: PageElement | null }
}

export interface PageRoot {
  elementFromPoint(x: number, y: number): PageElement | null
}

export interface Point {
  readonly x: number
  readonly y: number
}

/**
 * The point of the window to press for the element, once it has stood still for a frame. The offset is from its padding
 * edge; null means its middle. Returns null in every difficult case: it moves, is disabled, covered, out of sight or
 * broken over lines.
 */
export async function pressingPoint(element: PageElement, offset: Point | null): Promise<Point | null> {
  const before = element.getBoundingClientRect()
  await new Promise((resolve) => {
    const page = globalThis as unknown as { requestAnimationFrame(then: (value: unknown) => void): void }
    page.requestAnimationFrame(resolve)
    setTimeout(resolve, 100)
  })
  const { left, top, width, height } = element.getBoundingClientRect()
  if (left !== before.left || top !== before.top || width !== before.width || height !== before.height) return null
  if (
    !element.isConnected ||
    element.matches(':disabled, [inert] *, [inert], [aria-disabled=true], [aria-disabled=true] *')
  )
    return null
  if (offset === null && element.getClientRects().length !== 1) return null
  const x = left + (offset === null ? width / 2 : element.clientLeft + offset.x)
  const y = top + (offset === null ? height / 2 : element.clientTop + offset.y)
  const { ownerDocument } = element
  const { clientWidth, clientHeight } = ownerDocument.documentElement
  if (x < 0 || y < 0 || x >= clientWidth || y >= clientHeight) return null
  let hit = ownerDocument.elementFromPoint(x, y)
  for (;;) {
    const inner: PageElement | null = hit?.shadowRoot?.elementFromPoint(x, y) ?? null
    if (inner === null || inner === hit) break
    hit = inner
  }
  for (let at: PageElement | null = hit; at !== null; at = at.parentNode ?? at.host ?? null) {
    if (at === element) return { x, y }
  }
  return null
}

export interface ScrollPosition {
  readonly left: number
  readonly top: number
  readonly behavior: 'instant'
}

/** True if the node stands below the other, also through shadow trees. */
export function isBelow(node: PageElement, above: unknown): boolean {
  for (let at: PageElement | null = node; at !== null; at = at.parentNode ?? at.host ?? null) {
    if (at === above) return true
  }
  return false
}

export interface WantedState {
  readonly attributes: Readonly<Record<string, string>> | null
  readonly properties: Readonly<Record<string, unknown>> | null
}

export function hasState(element: PageElement, { attributes, properties }: WantedState): boolean {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (element.getAttribute(name) !== value) return false
  }
  const pending: [wanted: unknown, actual: unknown][] = [[properties ?? {}, element]]
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [wanted, actual] = pair
    if (wanted === actual) continue
    if (!(wanted instanceof Object) || !(actual instanceof Object)) return false
    const members = actual as Readonly<Record<string, unknown>>
    for (const [name, value] of Object.entries(wanted)) pending.push([value, members[name]])
  }
  return true
}

/** Everything that a step needs to know about its element, in one question. */
export interface ElementState {
  readonly isVisible: boolean
  /** CSS pixels. */
  readonly width: number
  readonly height: number
  /** How a value is entered. */
  readonly field: 'select' | 'text' | 'other'
}

export function lookAt(element: PageElement): ElementState {
  const { width, height } = element.getBoundingClientRect()
  const name = element.localName
  const texts = ['text', 'url', 'tel', 'search', 'password', 'number', 'email']
  const isText =
    name === 'input' ? texts.includes(element.type ?? '') : name === 'textarea' || element.isContentEditable
  return {
    isVisible: width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true }),
    width,
    height,
    field: name === 'select' ? 'select' : isText === true ? 'text' : 'other',
  }
}

/**
 * Prepares a plain field for typing: all its text is selected, so typing replaces it. False if it cannot be typed into,
 * or not directly.
 */
export function focusText(element: PageElement): boolean {
  const texts = ['text', 'url', 'tel', 'search', 'password', 'email']
  const name = element.localName
  if (name !== 'textarea' && (name !== 'input' || !texts.includes(element.type ?? ''))) return false
  if (!element.matches(':enabled:read-write:not([inert] *, [inert], [aria-disabled=true], [aria-disabled=true] *)'))
    return false
  if (element.matches('[aria-readonly=true]')) return false
  element.focus?.()
  element.select?.()
  return element.getRootNode().activeElement === element
}

/** For sliders, colours and dates. */
export function setValue(element: PageElement, value: string): void {
  element.value = value
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
  element.dispatchEvent(new Event('change', { bubbles: true }))
}

export function scrollElement(element: PageElement, place: ScrollPosition): void {
  element.scrollTo(place)
}

export function scrollPage(place: ScrollPosition): void {
  const page = globalThis as unknown as PageElement
  page.scrollTo(place)
}

/** Returns and removes the content of the property. */
export function takeProperty(name: string): unknown {
  const page = globalThis as unknown as Record<string, unknown>
  const left = page[name]
  delete page[name]
  return left
}
