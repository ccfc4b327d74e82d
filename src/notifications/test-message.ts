import type { Wording } from '../channels/wording.ts'
import type { TestFacts } from '../domain/notification/notice.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { fill } from '../wording/fill.ts'
import { catalogues } from '../wording/texts.ts'
import type { Reader } from './reader.ts'

/** Words a message that only tries whether the way to an address works. */
export function wordTest(facts: TestFacts, { language }: Reader): Wording {
  const { subject, text } = catalogues[language].notices.test
  const name = oneLine(facts.service?.name ?? facts.group.name, 100)
  return { subject: `${name}: ${subject}`, text: `${fill([text], { name })}\n`, attachment: null }
}
