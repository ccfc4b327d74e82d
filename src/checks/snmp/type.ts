import type { CheckDeclaration } from '../declare.ts'
import { text } from '../settings.ts'
import { comparedValue, port, timeout } from '../shared-settings.ts'

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
        en: { label: 'Community', description: 'The community of SNMP v2c; empty: “public”. It cannot be read back.' },
        pl: { label: 'Społeczność', description: 'SNMP v2c; puste: „public”. Nie można jej odczytać.' },
      },
      { longest: 255, pattern: '^[^\\u0000-\\u001f\\u007f]*$', isSecret: true, suggested_form_element: 'password' },
    ),
    text(
      'oid',
      {
        en: { label: 'Object (OID)', description: 'The object to ask for; by default how long the device has run.' },
        pl: { label: 'Obiekt (OID)', description: 'Obiekt, o który się pyta; domyślnie czas pracy urządzenia.' },
      },
      { longest: 255, default: '1.3.6.1.2.1.1.3.0', is_nullable: false, pattern: '^\\.?[012](\\.\\d{1,10}){1,100}$' },
    ),
    ...comparedValue,
    timeout(5000),
  ],
}
