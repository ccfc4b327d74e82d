import type { CheckDeclaration } from '../declare.ts'
import { expectedAnswer, port, timeout } from '../settings.ts'

export const ssh: CheckDeclaration = {
  check: 'ssh',
  types: { ssh: { name: { en: 'SSH', pl: 'SSH' }, addressPrefix: 'ssh://', addressForm: 'host', hasIpv6: true } },
  settings: [port(22), expectedAnswer, timeout(5000)],
}
