import { type Facts, fill } from './fill.ts'
import type { Language } from './language.ts'
import type { SubscriptionText } from './subscription-texts.ts'
import { catalogues } from './texts.ts'

/** A text for a subscriber of a status page, its facts filled in. */
export function subscriptionText(key: SubscriptionText, language: Language, facts: Facts = {}): string {
  return fill([catalogues[language].subscriptions[key]], facts)
}
