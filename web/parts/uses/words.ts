import { catalogue, counted, countedPl } from '../../words/words.ts'

export type Used = 'services' | 'groups' | 'tags'

export const usesWords = catalogue({
  en: {
    counting: 'Counting what uses it…',
    unused: 'Nothing uses it.',
    usedBy: (parts: readonly string[]) => `It is used by ${parts.join(', ')}.`,
    kinds: {
      services: (count: string, number: number) => `${count} ${counted(number, 'service', 'services')}`,
      groups: (count: string, number: number) => `${count} ${counted(number, 'group', 'groups')}`,
      tags: (count: string, number: number) => `${count} ${counted(number, 'tag', 'tags')}`,
    },
  },
  pl: {
    counting: 'Liczenie, co z tego korzysta…',
    unused: 'Nic z tego nie korzysta.',
    usedBy: (parts: readonly string[]) => `Korzysta z tego: ${parts.join(', ')}.`,
    kinds: {
      services: (count: string, number: number) => `${count} ${countedPl(number, 'usługa', 'usługi', 'usług')}`,
      groups: (count: string, number: number) => `${count} ${countedPl(number, 'grupa', 'grupy', 'grup')}`,
      tags: (count: string, number: number) => `${count} ${countedPl(number, 'etykieta', 'etykiety', 'etykiet')}`,
    },
  },
})
