import { useMessages } from 'next-intl'

type WordList =
  | 'eventKinds'
  | 'platformReplies'
  | 'channels'
  | 'grantKinds'
  | 'notificationOutcomes'
  | 'parkReasons'
  | 'closeReasons'
  | 'acts'

/** The word for a code of the API; a code newer than this console is shown as it is. */
export function useWord(): (list: WordList, code: string) => string {
  const { order } = useMessages()
  return (list, code) => {
    const words: Readonly<Record<string, string>> = order[list]
    return words[code] ?? code
  }
}
