/**
 * The language of users' message and webhook templates (docs/templates.md): a subset of Handlebars. A template is
 * parsed once, its names are checked, and it is filled in; nothing in it is executed. Parsing takes time proportional
 * to its length.
 */

export type TemplateNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly path: string; readonly filter: string | null; readonly at: number }
  | {
      readonly kind: 'if'
      readonly path: string
      readonly isNegated: boolean
      readonly whenTrue: readonly TemplateNode[]
      readonly whenFalse: readonly TemplateNode[]
      readonly at: number
    }
  | { readonly kind: 'each'; readonly path: string; readonly body: readonly TemplateNode[]; readonly at: number }

export const templateFaults = [
  'unclosed_tag',
  'unreadable_tag',
  'unopened_block',
  'unclosed_block',
  'misplaced_else',
  'too_deep',
  'unknown_variable',
  'unknown_filter',
  'wrong_filter',
  'not_single',
  'not_list',
  'loop_in_loop',
] as const

/** A fault in a template and its place. Lines and columns count from 1, columns in characters. */
export interface TemplateFault {
  readonly problem: (typeof templateFaults)[number]
  /** The text at that place. */
  readonly name: string
  readonly line: number
  readonly column: number
}

export type ReadTemplate =
  | { readonly nodes: readonly TemplateNode[]; readonly fault: null }
  | { readonly nodes: null; readonly fault: TemplateFault }

/** Characters between the braces of one tag. */
const longestTag = 200
const deepest = 10
const name = '[A-Za-z_]\\w{0,60}(?:\\.\\w{1,60}){0,5}'
const opening = new RegExp(`^#(if|unless|each)\\s+(${name})$`)
const closing = /^\/(if|unless|each)$/
const value = new RegExp(`^(?:([a-z]{1,20})\\s+)?(${name})$`)

interface Tag {
  readonly content: string
  readonly at: number
}

interface Block {
  readonly name: string
  readonly path: string
  readonly at: number
  readonly nodes: TemplateNode[]
  /** Set by `else`. */
  otherwise: TemplateNode[] | null
}

export function templateFault(
  source: string,
  problem: TemplateFault['problem'],
  { at, name }: { readonly at: number; readonly name: string },
): TemplateFault {
  const lines = source.slice(0, at).split('\n')
  return { problem, name: name.slice(0, 60), line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 }
}

class Stop extends Error {
  readonly fault: TemplateFault

  constructor(fault: TemplateFault) {
    super(fault.problem)
    this.fault = fault
  }
}

export function readTemplate(source: string): ReadTemplate {
  try {
    return { nodes: new Reading(source).read(), fault: null }
  } catch (error) {
    if (error instanceof Stop) return { nodes: null, fault: error.fault }
    throw error
  }
}

class Reading {
  readonly #source: string
  readonly #blocks: Block[] = [{ name: '', path: '', at: 0, nodes: [], otherwise: null }]

  constructor(source: string) {
    this.#source = source
  }

  read(): readonly TemplateNode[] {
    const source = this.#source
    let at = 0
    while (true) {
      const open = source.indexOf('{{', at)
      if (open < 0) break
      // The last two of three braces open a tag, because a JSON object may begin right before a value.
      const start = source.startsWith('{{{', open) ? open + 1 : open
      const end = source.indexOf('}}', start + 2)
      if (end < 0 || end - start > longestTag) this.#stop('unclosed_tag', { at: start, content: '{{' })
      const content = source.slice(start + 2, end).trim()
      const span = isQuiet(content) ? this.#wholeLine(start, end + 2) : { from: start, to: end + 2 }
      this.#text(source.slice(at, Math.max(at, span.from)))
      this.#tag({ content, at: start })
      at = span.to
    }
    this.#text(source.slice(at))
    const left = this.#top()
    if (this.#blocks.length > 1) this.#stop('unclosed_block', { at: left.at, content: `#${left.name} ${left.path}` })
    return left.nodes
  }

  #stop(problem: TemplateFault['problem'], { at, content }: Tag): never {
    throw new Stop(templateFault(this.#source, problem, { at, name: content }))
  }

  #top(): Block {
    const top = this.#blocks.at(-1)
    if (top === undefined) throw new Error('A template has a block that holds it all')
    return top
  }

  #add(node: TemplateNode): void {
    const { nodes, otherwise } = this.#top()
    const target = otherwise ?? nodes
    target.push(node)
  }

  #text(text: string): void {
    if (text !== '') this.#add({ kind: 'text', text })
  }

  /** A tag that writes nothing removes its line if nothing else is on it. */
  #wholeLine(start: number, end: number): { readonly from: number; readonly to: number } {
    let from = start
    while (isBlank(this.#source[from - 1])) from -= 1
    let to = end
    while (isBlank(this.#source[to]) || this.#source[to] === '\r') to += 1
    const isFirst = from === 0 || this.#source[from - 1] === '\n'
    const isLast = to === this.#source.length || this.#source[to] === '\n'
    return isFirst && isLast ? { from, to: Math.min(to + 1, this.#source.length) } : { from: start, to: end }
  }

  #tag(tag: Tag): void {
    const { content, at } = tag
    const [, name, path = ''] = opening.exec(content) ?? []
    const closed = closing.exec(content)?.[1]
    if (name !== undefined) {
      if (this.#blocks.length > deepest) this.#stop('too_deep', tag)
      this.#blocks.push({ name, path, at, nodes: [], otherwise: null })
    } else if (closed !== undefined) this.#close(closed, tag)
    else if (content === 'else') this.#else(tag)
    else if (!content.startsWith('!')) this.#value(tag)
  }

  #value(tag: Tag): void {
    const [, filter = null, path] = value.exec(tag.content) ?? []
    if (path === undefined) this.#stop('unreadable_tag', tag)
    this.#add({ kind: 'value', path, filter, at: tag.at })
  }

  #else(tag: Tag): void {
    const block = this.#top()
    if (block.name === '' || block.name === 'each' || block.otherwise !== null) this.#stop('misplaced_else', tag)
    block.otherwise = []
  }

  #close(name: string, tag: Tag): void {
    const { nodes, otherwise, ...block } = this.#top()
    if (block.name !== name) this.#stop('unopened_block', tag)
    this.#blocks.pop()
    const { path, at } = block
    if (name === 'each') this.#add({ kind: 'each', path, body: nodes, at })
    else
      this.#add({
        ...{ kind: 'if', path, isNegated: name === 'unless', at },
        ...{ whenTrue: nodes, whenFalse: otherwise ?? [] },
      })
  }
}

function isQuiet(content: string): boolean {
  return /^[#/!]/.test(content) || content === 'else'
}

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t'
}
