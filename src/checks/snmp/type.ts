import type { CheckDeclaration } from '../declare.ts'
import { comparedValue, port, text, timeout } from '../settings.ts'

export const snmp: CheckDeclaration = {
  check: 'snmp',
  family: 'servers',
  keywords: ['router', 'switch', 'printer', 'ups', 'oid', 'drukarka'],
  types: { snmp: { name: { en: 'SNMP', pl: 'SNMP' }, addressPrefix: 'snmp://', addressForm: 'host', hasIpv6: true } },
  settings: [
    port(161),
    text(
      'community',
      {
        en: 'Community (SNMP v2c), “public” if empty; it cannot be read back',
        pl: 'Społeczność (SNMP v2c), pusta: „public”; nie można jej odczytać',
      },
      { longest: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$', isSecret: true, suggested_form_element: 'password' },
    ),
    text(
      'oid',
      {
        en: 'Object to ask for; by default how long the device has run',
        pl: 'Obiekt, o który się pyta; domyślnie czas pracy urządzenia',
      },
      { longest: 255, default: '1.3.6.1.2.1.1.3.0', is_nullable: false, pattern: '^\\.?[012](\\.\\d{1,10}){1,100}$' },
    ),
    ...comparedValue,
    timeout(5000),
  ],
}
