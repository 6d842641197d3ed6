import { wordSet } from './word-set.js';

/** Words with a capital that name nothing by themselves: days, months, languages' pronoun, greetings, letters' openings. */
export const plainCapitals = wordSet(`
  i i'm i've i'd i'll im ive monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue tues wed thu thur thurs fri sat sun
  january february march april may june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  mr mrs ms miss dr prof sir madam dear hi hey hello hmm oh ah wow yes yeah yep no nope ok okay thanks thank please sorry sure well great cool nice
  good bad best awesome amazing congrats congratulations happy lol omg btw fyi asap tbh imo imho ps am pm bc ad ce utc gmt est pst cst cet bst
  todo fixme note warning error info debug true false null none yes/no tv pc ceo cto cfo coo vp hr pr qa it ai ml id ui ux faq diy rsvp eta pto
  kb mb gb tb kib mib gib hz khz mhz ghz kg km cm mm ms
  mom dad mum mommy daddy grandma grandpa god christmas easter thanksgiving halloween hanukkah ramadan diwali
  english chinese french german spanish italian japanese korean russian portuguese arabic hindi american british european asian african indian canadian
  australian mexican brazilian dutch swedish norwegian danish finnish polish greek turkish thai vietnamese irish scottish swiss austrian`);

/** Words between the parts of one name. */
export const linking = wordSet('of the de del della di da do dos du van von der den la le al el bin ibn y');
