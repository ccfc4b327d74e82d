import { incorrect } from '../../domain/input/json.ts'
import type { Problem } from '../../domain/input/problem.ts'
import type { Contradictions, SettingValue } from '../../domain/services/service-types.ts'
import { choice, type Setting, type SettingWords, text } from '../settings.ts'
import { certificateProblems } from './client-certificate.ts'

/** Logins of APIs: a bearer token, OAuth 2.0 client credentials, a client certificate. */

const visible = '^[\\u0021-\\u007e]*$'
const oneLine = '^[^\\u0000-\\u001f\\u007f]*$'
const longestToken = 4096
const longestPem = 16_384

function secret(id: string, words: SettingWords, longest: number, pattern: string): Setting {
  return text(id, words, { longest, pattern, isSecret: true, suggested_form_element: 'password' })
}

export const logins: readonly Setting[] = [
  secret(
    'bearer_token',
    {
      en: { label: 'Bearer token', description: 'Sent in the Authorization header. It cannot be read back.' },
      pl: { label: 'Token Bearer', description: 'Wysyłany w nagłówku Authorization. Nie można go odczytać.' },
    },
    longestToken,
    visible,
  ),
  text(
    'oauth_token_url',
    {
      en: {
        label: 'Token endpoint (OAuth 2.0)',
        description: 'The address that gives a token for client credentials.',
      },
      pl: {
        label: 'Punkt wydający tokeny (OAuth 2.0)',
        description: 'Adres, pod którym wydawane są tokeny za dane klienta.',
      },
    },
    { longest: 2048, grammar: 'web_address' },
  ),
  secret(
    'oauth_client_id',
    {
      en: {
        label: 'Client id (OAuth 2.0)',
        description: 'The id of the client at the token endpoint. It cannot be read back.',
      },
      pl: {
        label: 'Id klienta (OAuth 2.0)',
        description: 'Id klienta w punkcie wydającym tokeny. Nie można go odczytać.',
      },
    },
    1000,
    oneLine,
  ),
  secret(
    'oauth_client_secret',
    {
      en: {
        label: 'Client secret (OAuth 2.0)',
        description: 'The secret of the client at the token endpoint. It cannot be read back.',
      },
      pl: {
        label: 'Sekret klienta (OAuth 2.0)',
        description: 'Sekret klienta w punkcie wydającym tokeny. Nie można go odczytać.',
      },
    },
    longestToken,
    oneLine,
  ),
  text(
    'oauth_scope',
    {
      en: { label: 'Scopes (OAuth 2.0)', description: 'What the token is asked for, separated by spaces.' },
      pl: {
        label: 'Zakresy (OAuth 2.0)',
        description: 'Zakresy, o które prosi się przy tokenie, rozdzielone spacjami.',
      },
    },
    { longest: 1000, pattern: '^[\\u0020-\\u007e]*$' },
  ),
  choice(
    'oauth_client_authentication',
    {
      en: {
        label: 'Client credentials in (OAuth 2.0)',
        description: 'The part of the request to the token endpoint that carries the client’s id and secret.',
      },
      pl: {
        label: 'Dane klienta w (OAuth 2.0)',
        description: 'Część zapytania do punktu tokenów, w której są id i sekret klienta.',
      },
    },
    ['header', 'body'],
  ),
  text(
    'client_certificate',
    {
      en: { label: 'Client certificate', description: 'In PEM, with its chain if there is one.' },
      pl: { label: 'Certyfikat klienta', description: 'W formacie PEM, z łańcuchem, jeśli jest.' },
    },
    { longest: longestPem, suggested_form_element: 'textarea', grammar: 'certificate_pem' },
  ),
  text(
    'client_key',
    {
      en: { label: 'Private key', description: 'The key of the client certificate, in PEM. It cannot be read back.' },
      pl: { label: 'Klucz prywatny', description: 'Klucz certyfikatu klienta, w formacie PEM. Nie można go odczytać.' },
    },
    { longest: longestPem, isSecret: true, suggested_form_element: 'textarea' },
  ),
  secret(
    'client_key_passphrase',
    {
      en: {
        label: 'Passphrase of the key',
        description: 'Needed for an encrypted private key. It cannot be read back.',
      },
      pl: {
        label: 'Hasło klucza',
        description: 'Potrzebne do zaszyfrowanego klucza prywatnego. Nie można go odczytać.',
      },
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
