import type { Wording } from '../channels/wording.ts'
import type { AcknowledgementFacts } from '../domain/notification/notice.ts'
import { oneLine } from '../domain/text/one-line.ts'
import { fill } from '../wording/fill.ts'
import { catalogues } from '../wording/texts.ts'
import type { Reader } from './reader.ts'

/** Words the message that somebody knows of a failure. */
export function wordAcknowledgement({ service, by, comment }: AcknowledgementFacts, { language }: Reader): Wording {
  const texts = catalogues[language].notices.acknowledgement
  const name = by === null ? texts.somebody : oneLine(by, 100)
  const said = comment === null ? [] : [oneLine(comment, 1000)]
  return {
    subject: `${oneLine(service.name, 100)}: ${fill([texts.subject], { name })}`,
    text: `${[fill([texts.text], { name }), ...said].join('\n')}\n`,
    attachment: null,
  }
}
