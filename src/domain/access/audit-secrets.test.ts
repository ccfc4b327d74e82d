import { expect, test } from 'vitest'
import { marked } from './audit.ts'

test.each<readonly [string, string, string]>([
  ['address', 'https://shop.example.com/?api_key=abc&page=2', 'https://shop.example.com/?api_key=***&page=2'],
  ['address', 'https://eva:abc@shop.example.com/', 'https://eva:***@shop.example.com/'],
  ['body', 'user=eva&password=abc', 'user=eva&password=***'],
  ['body', '{"user": "eva", "client_secret": "a\\"bc"}', '{"user": "eva", "client_secret": "***"}'],
  ['body', '{"pwd": 123456, "code": 200, "id": 7}', '{"pwd": "***", "code": 200, "id": 7}'],
  ['body', '{"api_key":-1.5e3,"code":123456}', '{"api_key":"***","code":"***"}'],
  ['request_headers', 'Accept: text/html\nAuthorization: Bearer abc', 'Accept: text/html\nAuthorization: ***'],
  ...[
    'private_key',
    'access_key',
    'pwd',
    'db_pass',
    'passphrase',
    'jwt',
    'sig',
    'code',
    'credentials',
    'bearer',
  ].flatMap(
    (name) =>
      [
        ['address', `https://shop.example.com/?${name}=abc&page=2`, `https://shop.example.com/?${name}=***&page=2`],
        ['body', `{"${name}": "abc"}`, `{"${name}": "***"}`],
        ['body', `<${name}>abc</${name}>`, `<${name}>***</${name}>`],
      ] as const,
  ),
  [
    'address',
    'https://a.example/?X-Amz-Credential=A%2Fb&sessionid=c',
    'https://a.example/?X-Amz-Credential=***&sessionid=***',
  ],
  ['body', '<s:Password Type="text">abc</s:Password>', '<s:Password Type="text">***</s:Password>'],
  ['body', '<password><![CDATA[abc]]></password>', '<password><![CDATA[***]]></password>'],
  [
    'body',
    '<password> <first/></password><country_code>PL</country_code>',
    '<password> <first/></password><country_code>PL</country_code>',
  ],
  ['address', 'https://a.example/?country_code=PL&compass=north', 'https://a.example/?country_code=PL&compass=north'],
  ...['Ocp-Apim-Subscription-Key', 'X-Functions-Key', 'X-Session', 'X-Access'].map(
    (name) => ['request_headers', `${name}: abc\nKeep-Alive: 5`, `${name}: ***\nKeep-Alive: 5`] as const,
  ),
  ['description', 'No password is here: ask Eva', 'No password is here: ask Eva'],
  ['address', 'https://shop.example.com/?page=2', 'https://shop.example.com/?page=2'],
])('a secret within %s is a mark: %s', (name, text, shown) => {
  expect(marked(name, { stored: text, shown: text })).toBe(shown)
})

test('says that a secret within a text was replaced, and not which', () => {
  const told = { stored: 'password=new', shown: 'password=new' }
  expect(marked('body', told, 'password=old')).toBe('password=*** (new)')
})

test.each([
  'private_key',
  'access_key',
  'pwd',
  'pass',
  'passphrase',
  'jwt',
  'sig',
  'credentials',
  'bearer',
  'sessionid',
])('a value with the name %s is a mark', (name) => {
  for (const value of ['abc', 123]) {
    expect(marked('fields', { stored: { [name]: value }, shown: { [name]: value } })).toEqual({ [name]: '***' })
  }
})
