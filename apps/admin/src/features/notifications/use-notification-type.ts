import { useMessages } from 'next-intl'

/** The words for the type that the platform gives a notification; one that is newer than this console is shown as it is. */
export function useNotificationType(): (eventType: string) => string {
  const words: Readonly<Record<string, string>> = useMessages().order.notificationTypes
  return (eventType) => words[eventType.toLowerCase().replace('.', '_')] ?? eventType
}
