import type { DeliveryOutcome } from '../channels/delivery.ts'
import type { Wording } from '../channels/wording.ts'
import { codeLife } from '../domain/notification/confirmation-code.ts'
import { fill } from '../wording/fill.ts'
import { catalogues } from '../wording/texts.ts'
import type { Reader } from './reader.ts'

/** Words the code that confirms an address. The subject stands in logs: it has no code. */
export function wordConfirmation(code: string, { language, publicUrl }: Reader): Wording {
  const { subject, text } = catalogues[language].notices.confirmation
  const facts = { code, place: publicUrl, minutes: codeLife / 60_000 }
  return { subject, text: `${fill([text], facts)}\n`, attachment: null }
}

/** An error is read by who must not know the code, and a gateway may repeat in it what it was sent. */
export function withoutCode(outcome: DeliveryOutcome, code: string): DeliveryOutcome {
  if (outcome.status === 'sent' || code === '') return outcome
  return { ...outcome, error: outcome.error.replaceAll(code, '…') }
}
