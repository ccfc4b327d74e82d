import { useQuery } from '@tanstack/react-query'
import { useWords } from '../../words/words.ts'
import { accountWords } from './words.ts'

/** Knows browsers and systems; loaded where sessions are shown. */
async function loadParser() {
  const { default: bowser } = await import('bowser')
  return (text: string) => bowser.getParser(text)
}

/** The browser and the system behind a User-Agent, and its text on demand. A text of no browser stands alone. */
export function Program({ text }: { readonly text: string }) {
  const words = useWords(accountWords)
  const { data: parserOf } = useQuery({
    queryKey: ['user-agents'],
    staleTime: Number.POSITIVE_INFINITY,
    // A function is no data that could be compared with an older one.
    structuralSharing: false,
    queryFn: loadParser,
  })
  if (text === '') return <span className="agent">{words.unknownProgram}</span>
  const parser = parserOf?.(text)
  const browser = parser?.getBrowserName() ?? ''
  if (parser === undefined || browser === '') return <span className="agent">{text}</span>
  // Browsers freeze the version of the system that they tell.
  const [version = ''] = (parser.getBrowserVersion() ?? '').split('.')
  const system = parser.getOSName()
  return (
    <details className="agent">
      <summary>{words.program(version === '' ? browser : `${browser} ${version}`, system)}</summary>
      <code>{text}</code>
    </details>
  )
}
