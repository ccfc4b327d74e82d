import { readFileSync } from 'node:fs'
import { RelaxNGValidator, XmlDocument, XmlLibError } from 'libxml2-wasm'

/** Feeds, judged by RELAX NG schemas of their specifications. */

export type FeedKind = 'atom' | 'rss'

function validatorOf(kind: FeedKind): RelaxNGValidator {
  const file = new URL(`schemas/${kind}.rng`, import.meta.url)
  return RelaxNGValidator.fromDoc(XmlDocument.fromString(readFileSync(file, 'utf8')))
}

const validators = new Map<FeedKind, RelaxNGValidator>()

/** The faults of a feed; one that is no XML is at fault, too. */
export function feedFaults(kind: FeedKind, text: string): readonly string[] {
  const validator = validators.get(kind) ?? validatorOf(kind)
  validators.set(kind, validator)
  try {
    const document = XmlDocument.fromString(text)
    try {
      validator.validate(document)
      return []
    } finally {
      document.dispose()
    }
  } catch (error) {
    if (error instanceof XmlLibError) return error.details.map(({ line, message }) => `line ${line}: ${message.trim()}`)
    throw error
  }
}
