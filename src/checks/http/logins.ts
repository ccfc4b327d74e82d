import { incorrect } from '../../domain/json.ts'
import type { Problem } from '../../domain/problem.ts'
import type { Contradictions, SettingValue } from '../../domain/service-types.ts'
import { choice, type Setting, text, type Words } from '../settings.ts'
import { certificateProblems } from './client-certificate.ts'

/** Logins of APIs: a bearer token, OAuth 2.0 client credentials, a client certificate. */

const visible = '^[\\u0021-\\u007e]*$'
const oneLine = '^[^\\u0000-\\u001f\\u007f]*$'
const longestToken = 4096
const longestPem = 16_384

function secret(id: string, words: Words, longest: number, pattern: string): Setting {
  return text(id, words, { longest, pattern, isSecret: true, suggested_form_element: 'password' })
}

export const logins: readonly Setting[] = [
  secret(
    'bearer_token',
    { en: 'Bearer token; it cannot be read back', pl: 'Token Bearer; nie można go odczytać' },
    longestToken,
    visible,
  ),
  text(
    'oauth_token_url',
    {
      en: 'OAuth 2.0: address of the token endpoint for client credentials',
      pl: 'OAuth 2.0: adres punktu wydającego tokeny za dane klienta',
    },
    { longest: 2048, grammar: 'web_address' },
  ),
  secret(
    'oauth_client_id',
    { en: 'OAuth 2.0: client id; it cannot be read back', pl: 'OAuth 2.0: id klienta; nie można go odczytać' },
    1000,
    oneLine,
  ),
  secret(
    'oauth_client_secret',
    {
      en: 'OAuth 2.0: client secret; it cannot be read back',
      pl: 'OAuth 2.0: sekret klienta; nie można go odczytać',
    },
    longestToken,
    oneLine,
  ),
  text(
    'oauth_scope',
    { en: 'OAuth 2.0: scopes, separated by spaces', pl: 'OAuth 2.0: zakresy oddzielone spacjami' },
    { longest: 1000, pattern: '^[\\u0020-\\u007e]*$' },
  ),
  choice(
    'oauth_client_authentication',
    {
      en: 'OAuth 2.0: the client’s id and secret go to the token endpoint in this part of the request',
      pl: 'OAuth 2.0: id i sekret klienta trafiają do punktu tokenów w tej części zapytania',
    },
    ['header', 'body'],
  ),
  text(
    'client_certificate',
    {
      en: 'Client certificate (PEM), with its chain if there is one',
      pl: 'Certyfikat klienta (PEM), z łańcuchem, jeśli jest',
    },
    { longest: longestPem, suggested_form_element: 'textarea', grammar: 'certificate_pem' },
  ),
  text(
    'client_key',
    {
      en: 'Private key of the client certificate (PEM); it cannot be read back',
      pl: 'Klucz prywatny certyfikatu klienta (PEM); nie można go odczytać',
    },
    { longest: longestPem, isSecret: true, suggested_form_element: 'textarea' },
  ),
  secret(
    'client_key_passphrase',
    {
      en: 'Passphrase of the private key; it cannot be read back',
      pl: 'Hasło klucza prywatnego; nie można go odczytać',
    },
    255,
    oneLine,
  ),
]

type Settings = Readonly<Record<string, SettingValue>>

/** A request has one login beside its certificate, and each login is whole. */
export const loginProblems: Contradictions = (settings, pointer) => [
  ...oneLoginProblems(settings, pointer),
  ...oauthProblems(settings, pointer),
  ...certificateProblems(settings, pointer),
]

function isSet(settings: Settings, ...ids: readonly string[]): boolean {
  return ids.some((id) => (settings[id] ?? '') !== '')
}

function oneLoginProblems(settings: Settings, pointer: string): readonly Problem[] {
  const given = [
    isSet(settings, 'username', 'password') ? ['username'] : [],
    isSet(settings, 'bearer_token') ? ['bearer_token'] : [],
    isSet(settings, 'oauth_token_url', 'oauth_client_id', 'oauth_client_secret') ? ['oauth_token_url'] : [],
  ].flat()
  return given.slice(1).map((id) => incorrect(`${pointer}.${id}`, 'one_login'))
}

const ofOauth = ['oauth_token_url', 'oauth_client_id', 'oauth_client_secret'] as const

function oauthProblems(settings: Settings, pointer: string): readonly Problem[] {
  const missing = ofOauth.filter((id) => !isSet(settings, id))
  if (missing.length === ofOauth.length) return []
  return missing.map((id) => ({ error: 'missing_value', field: `${pointer}.${id}` }))
}
