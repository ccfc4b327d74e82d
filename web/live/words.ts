import { catalogue } from '../words/words.ts'

const failures = new Intl.PluralRules('pl')

export const liveWords = catalogue({
  en: {
    newFailures: (count: number) => (count === 1 ? '1 new failure' : `${count} new failures`),
  },
  pl: {
    newFailures: (count: number) => {
      const form = failures.select(count)
      return `${count} ${form === 'one' ? 'nowa awaria' : form === 'few' ? 'nowe awarie' : 'nowych awarii'}`
    },
  },
})
