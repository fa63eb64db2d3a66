const outlines = {
  alert: 'M12 9v4m0 3.5v.01M10.3 4.2 2.9 17a2 2 0 0 0 1.7 3h14.8a2 2 0 0 0 1.7-3L13.7 4.2a2 2 0 0 0-3.4 0Z',
  back: 'M19 12H5m6-6-6 6 6 6',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  checkCircle: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm-3.8-8.8 2.6 2.6 5-5.2',
  chevronDown: 'm6 9 6 6 6-6',
  chevronLeft: 'm15 6-6 6 6 6',
  chevronRight: 'm9 6 6 6-6 6',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3.2 2',
  close: 'm6 6 12 12M18 6 6 18',
  copy: 'M9 9h9a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2V9Zm6 0V5a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h3',
  device:
    'M8 7h8a2 2 0 0 1 2 2v6a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2V9a2 2 0 0 1 2-2Zm1 0 .6-3.500h4.800L15 7m-6 10 .6 3.500h4.800L15 17',
  upload: 'M12 16V4m0 0 4.500 4.500M12 4 7.500 8.500M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.500 8a7.500 7.500 0 0 1 15 0',
  dash: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm-3.5-9h7',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Zm9.5 2.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z',
  eyeOff:
    'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-2.8 3.5M6.2 7.4A15.600 15.600 0 0 0 2.500 12S6 18.500 12 18.500a9 9 0 0 0 4.200-1M10 10a2.800 2.800 0 0 0 4 4',
  filter: 'M4 6h16M7 12h10m-7 6h4',
  globe:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.500 2.500 3.800 5.600 3.800 9s-1.300 6.500-3.800 9c-2.500-2.500-3.800-5.600-3.800-9S9.500 5.500 12 3Z',
  inbox:
    'M4 13.500V18a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-4.500M4 13.500 6.800 5.300A2 2 0 0 1 8.700 4h6.600a2 2 0 0 1 1.900 1.300L20 13.500M4 13.500h4.500l1.200 2.500h4.600l1.200-2.500H20',
  key: 'M15 9.500v.01M21 9a6 6 0 0 1-7.900 5.700L11 17H9v2H7v2H3v-3.500l6.300-6.300A6 6 0 1 1 21 9Z',
  menu: 'M4 7h16M4 12h16M4 17h16',
  monitor: 'M4 5h16a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1Zm8 12v3m-4 0h8',
  moon: 'M20 14.500A8.500 8.500 0 0 1 9.500 4a8.500 8.500 0 1 0 10.500 10.500Z',
  receipt: 'M6 3.500h12v17l-3-2-3 2-3-2-3 2v-17ZM9.500 8.500h5m-5 4h5',
  shield: 'M12 3 5 6v5.500c0 4.500 3 8 7 9.500 4-1.500 7-5 7-9.500V6l-7-3Zm-3 9 2.200 2.200L15.500 10',
  refund: 'M4 9h10.500a5 5 0 0 1 0 10H9M4 9l4-4M4 9l4 4',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm9.500 2.500L16 16',
  signOut: 'M14 4h4a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2h-4M10 16l-4-4 4-4m-4 4h9',
  sun: 'M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9ZM12 2v2m0 16v2M4.900 4.900l1.400 1.400m11.400 11.400 1.400 1.400M2 12h2m16 0h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  sync: 'M20 11A8 8 0 0 0 6 6.300L4 8.300M4 4v4.300h4.300M4 13a8 8 0 0 0 14 4.700l2-2M20 20v-4.300h-4.300',
} as const

export type IconName = keyof typeof outlines

/** Decoration only: whatever it means must also stand beside it in words. */
export function Icon({ name, size = 16 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      style={{ flex: 'none' }}
    >
      <path d={outlines[name]} />
    </svg>
  )
}
