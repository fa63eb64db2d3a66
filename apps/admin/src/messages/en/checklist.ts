export const checklist = {
  title: 'Setup checklist',
  lead: 'Each step completes itself when what it describes has happened. Nobody checks it off.',
  progress: '{done} of {all} done',
  allDone: 'Every step is done',
  allDoneHint: 'This installation has been through everything a new shop should go through once.',
  done: 'Done',
  open: 'To do',
  next: 'Next step',
  allSteps: 'View all steps',
  goingLive:
    'The whole way to real payments is in docs/going-live.md, and npm run doctor checks the installation.',
  where: {
    phone: 'Open the phone page',
    orders: 'Open paid orders',
    users: 'Open users',
    staff: 'Open operators',
    plans: 'Open plans',
    channels: 'Open alert channels',
    keys: 'Open keys',
  },
  onDashboard: 'On the overview',
  shownHint: 'The checklist is on the overview until every step is done.',
  hiddenHint: {
    me: 'You have hidden the checklist from your overview.',
    everybody: 'An owner has hidden the checklist from everyone’s overview.',
  },
  hide: {
    label: 'Hide for me',
    hint: 'Takes the checklist off your overview. It stays in the account menu.',
    done: 'Hidden. The checklist is in the account menu.',
  },
  hideForAll: {
    label: 'Hide for everyone',
    hint: 'Takes the checklist off everyone’s overview. It stays in the account menu.',
    forbidden: 'Your role ({role}) can’t hide the checklist for others. Allowed roles: {allowed}',
    done: 'Hidden for everyone. The checklist is in the account menu.',
  },
  restore: {
    label: 'Show on my overview',
    hint: 'Puts the checklist back on your overview.',
    done: 'The checklist is back on your overview.',
  },
  restoreForAll: {
    label: 'Show for everyone',
    hint: 'Puts the checklist back on everyone’s overview, except where an operator hid it themselves.',
    forbidden: 'Your role ({role}) can’t decide this for others. Allowed roles: {allowed}',
    done: 'The checklist is back on everyone’s overview.',
  },
  steps: {
    credentials: {
      title: 'Connect the payment platform',
      why: 'Without the merchant’s settings and keys, users can neither sign in nor pay.',
      how: 'Set the WECHAT_… settings of the merchant account and restart; the page of keys then shows what verifies what.',
    },
    plans: {
      title: 'Go over plans and prices',
      why: 'The plans of a new installation are examples, and users pay what is entered here.',
      how: 'Edit a plan: its name, days and price. With virtual payment, give each plan its published item.',
    },
    user: {
      title: 'A first user signs in',
      why: 'It shows that the mini-program reaches this server and that WeChat’s sign-in works.',
      how: 'In a sandbox the phone page plays the mini-program: press “Log in with WeChat” there. Otherwise open the mini-program on a phone.',
    },
    sale: {
      title: 'The first sale is paid',
      why: 'It goes the whole way once: order, payment, verified notification, days for the user.',
      how: 'Choose a plan on the phone and pay; its order here turns to “Paid” by itself.',
    },
    healed: {
      title: 'A lost notification heals',
      why: 'WeChat loses notifications now and then, and whoever paid must get their days all the same.',
      how: 'On the phone page switch on “Lost” under “Payment notifications”, pay, and wait a few seconds: the platform is asked, and the order is paid. Switch it off again.',
    },
    refund: {
      title: 'A refund succeeds',
      why: 'The first complaint should not be the first time that money goes back.',
      how: 'Open a paid order and refund it. The step is done when the platform confirms the refund.',
    },
    second_person: {
      title: 'A second person can approve',
      why: 'Large refunds, prices and settings need two people: alone, you can ask and nobody can approve.',
      how: 'Invite a colleague from finance or another owner, who sets up two-step verification. A new account takes part after 24 hours.',
    },
    alarms: {
      title: 'Alerts reach you',
      why: 'An alert that stays in the console is read the next morning.',
      how: 'Set ALERT_CHANNELS to a WeCom, DingTalk or Feishu robot or a webhook, restart, and send a test message.',
    },
    backup: {
      title: 'A backup is made and restored',
      why: 'Only a backup that was restored once is known to be one.',
      how: 'Run npm run db:backup -- --verify where this installation runs: it makes a backup, restores it beside and compares.',
    },
  },
} as const
