import { catalogue } from '../words/words.ts'

export const leavingWords = catalogue({
  en: {
    title: 'Leave without saving?',
    text: 'What you have changed here is lost.',
    stay: 'Stay here',
    leave: 'Leave without saving',
  },
  pl: {
    title: 'Opuścić bez zapisywania?',
    text: 'To, co tu zmieniono, przepadnie.',
    stay: 'Zostań tutaj',
    leave: 'Opuść bez zapisywania',
  },
})
