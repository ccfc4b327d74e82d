import { catalogue } from '../words/words.ts'

export const leavingWords = catalogue({
  en: {
    title: 'Leave without saving?',
    titleOfDialog: 'Close without saving?',
    text: 'What you have changed here is lost.',
    stay: 'Stay here',
    leave: 'Leave without saving',
    close: 'Close without saving',
  },
  pl: {
    title: 'Opuścić bez zapisywania?',
    titleOfDialog: 'Zamknąć bez zapisywania?',
    text: 'To, co tu zmieniono, przepadnie.',
    stay: 'Zostań tutaj',
    leave: 'Opuść bez zapisywania',
    close: 'Zamknij bez zapisywania',
  },
})
