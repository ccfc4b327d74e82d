import type { Config } from '../../config/config.ts'
import { targetsText } from '../../program/start-message.ts'
import { type Finding, finding } from './finding.ts'

/** Reports which users may check which addresses of the operator's own network. */
export function targetsFinding(config: Pick<Config, 'allowPrivateTargets' | 'isRegistrationOpen'>): Finding {
  const { allowPrivateTargets: allowed, isRegistrationOpen: isOpen } = config
  const isExposed = isOpen && (allowed === 'all' || allowed.length > 0)
  const text = targetsText(config)
  return isExposed
    ? finding('Private targets', 'missing', `${text}, by anybody who registers (REGISTRATION)`)
    : finding('Private targets', 'ok', text)
}
