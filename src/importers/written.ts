import { escaped } from '../configuration/interpolate.ts'

/** A text of the configuration with variables in it, and the value that it has once they are set. */
export class Written {
  /** As it stands in the file. */
  readonly text: string
  readonly value: string

  constructor(text: string, value: string) {
    this.text = text
    this.value = value
  }
}

/** Texts and secrets one after another. */
export function joined(parts: readonly (string | Written)[]): Written {
  return new Written(
    parts.map((part) => (part instanceof Written ? part.text : escaped(part))).join(''),
    parts.map((part) => (part instanceof Written ? part.value : part)).join(''),
  )
}

/** The value as it stands in a file: variables in place of secrets. */
export function asWritten(value: unknown): unknown {
  return mapped(
    value,
    (text) => escaped(text),
    ({ text }) => text,
  )
}

/** The value that the installation will get. */
export function asMeant(value: unknown): unknown {
  return mapped(
    value,
    (text) => text,
    ({ value: meant }) => meant,
  )
}

function mapped(value: unknown, plain: (text: string) => string, secret: (written: Written) => string): unknown {
  if (value instanceof Written) return secret(value)
  if (typeof value === 'string') return plain(value)
  if (Array.isArray(value)) return value.map((element: unknown) => mapped(element, plain, secret))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  return Object.fromEntries(members.map(([name, member]) => [name, mapped(member, plain, secret)]))
}
