import { expect, test } from 'vitest'
import { parseSecrets, scenarioSettingProblems, withSecrets } from './scenario-secrets.ts'

test('secrets are lines of names and values, to the last character', () => {
  expect(parseSecrets('user=alice\r\n\n password = a=b {{c}} ')).toEqual(
    new Map([
      ['user', 'alice'],
      ['password', ' a=b {{c}} '],
    ]),
  )
})

test.each(['alone', 'two words=x', '1st=x', 'empty=', 'a=1\na=2', '=x', 'tab=a\tb'])('%j are no secrets', (text) => {
  expect(parseSecrets(text)).toBeUndefined()
})

test('a reference becomes its secret, once and as it is to be written', () => {
  const secrets = new Map([
    ['user', 'ala&{{word}}'],
    ['word', '$& x'],
  ])
  expect(withSecrets('{{user}} / {{ word }} / {{other}} / {{}}', secrets)).toBe(
    'ala&{{word}} / $& x / {{other}} / {{}}',
  )
  expect(withSecrets('?q={{word}}', secrets, encodeURIComponent)).toBe('?q=%24%26%20x')
})

test('a reference to a secret that is not there is a problem at its place', () => {
  const steps = [
    { type: 'navigate', url: '/?key={{key}}' },
    { type: 'change', selectors: ['#a'], value: '{{user}}' },
    { type: 'waitForExpression', expression: '"{{template}}" !== ""' },
  ]
  const scenario = JSON.stringify({ title: 't', steps })
  const problem = (place: string) => ({
    error: 'incorrect_value',
    field: `data.scenario.${place}`,
    facts: { detail: 'scenario_secret' },
  })
  expect(scenarioSettingProblems({ scenario, secrets: 'user=alice' }, 'data')).toEqual([problem('steps[0].url')])
  expect(scenarioSettingProblems({ scenario }, 'data')).toEqual([problem('steps[0].url'), problem('steps[1].value')])
  expect(scenarioSettingProblems({ scenario, secrets: 'user=alice\nkey=1' }, 'data')).toEqual([])
  expect(scenarioSettingProblems({}, 'data')).toEqual([])
})
