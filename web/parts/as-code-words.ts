import { catalogue } from '../words/words.ts'

export const asCodeWords = catalogue({
  en: {
    title: 'As code',
    form: 'Form',
    forms: { curl: 'curl', json: 'JSON', yaml: 'YAML' },
    copy: 'Copy',
    copied: 'Copied',
    failed: 'The browser does not allow copying.',
    hint: 'Secrets are placeholders. The token of a session or of an OAuth client goes into TOKEN.',
  },
  pl: {
    title: 'Jako kod',
    form: 'Postać',
    forms: { curl: 'curl', json: 'JSON', yaml: 'YAML' },
    copy: 'Kopiuj',
    copied: 'Skopiowano',
    failed: 'Przeglądarka nie pozwala kopiować.',
    hint: 'Sekrety zastępują znaczniki. W TOKEN wstaw token sesji albo klienta OAuth.',
  },
})
