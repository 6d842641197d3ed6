import { entriesOf } from './word-set.js';

/** Well-known organisations in lower case; those that are words, too (Apple, Target, Shell), only count with a capital. */
export const englishOrganisations = entriesOf(`
  google, alphabet, microsoft, apple, amazon, meta, facebook, netflix, nvidia, intel, amd, ibm, oracle, salesforce, adobe, cisco, dell, hp, lenovo
  samsung, sony, lg, huawei, xiaomi, alibaba, tencent, baidu, bytedance, jd.com, meituan, didi, pinduoduo, openai, anthropic, deepmind, mistral, cohere
  hugging face, stripe, paypal, square, visa, mastercard, shopify, spotify, uber, lyft, airbnb, booking.com, expedia, twitter, linkedin, pinterest, reddit
  snapchat, tesla, toyota, honda, ford, bmw, mercedes-benz, volkswagen, audi, porsche, boeing, airbus, siemens, bosch, philips, sap, ericsson, nokia
  qualcomm, broadcom, arm, tsmc, asml, micron, accenture, deloitte, kpmg, pwc, mckinsey, goldman sachs, morgan stanley, jpmorgan, citibank, hsbc, barclays
  deutsche bank, bank of america, wells fargo, walmart, costco, ikea, target, starbucks, mcdonald's, nike, adidas, puma, coca-cola, pepsi, nestle, unilever
  procter & gamble, johnson & johnson, pfizer, moderna, astrazeneca, novartis, roche, bayer, nasa, esa, cern, fbi, cia, nato, unicef, unesco, who, imf
  world bank, united nations, european union, red cross, greenpeace, amnesty international, harvard, mit, stanford, yale, princeton, berkeley, caltech
  columbia university, oxford university, cambridge university, eth zurich, tsinghua, peking university, bbc, cnn, new york times, reuters, bloomberg
  disney, pixar, warner bros, nintendo, valve, ubisoft, electronic arts, blizzard, github, gitlab, atlassian, slack, zoom, dropbox, cloudflare, datadog
  snowflake, databricks, vercel, netlify, heroku, digitalocean, hashicorp, red hat, canonical, mozilla, jetbrains, y combinator, sequoia, fedex, ups, dhl`);

/** The last word of an organisation's name. */
export const organisationEndings =
  entriesOf(`inc, corp, corporation, ltd, llc, gmbh, plc, ag, company, university, college, school, institute, academy
  bank, foundation, association, society, committee, commission, council, agency, ministry, department, hospital, clinic, labs, laboratory, laboratories
  group, holdings, partners, ventures, capital, studios, press, union, club, church, orchestra, airlines, airways, technologies, systems, solutions`);

/** Those that are words or persons, too: only with a capital, and not as the first word of a sentence. */
export const wordOrganisations =
  entriesOf(`alphabet, apple, amazon, oracle, intel, meta, adobe, dell, cohere, stripe, square, visa, target, arm, puma, valve
  canonical, sequoia, who, ford, mistral, nike, shell, slack, zoom, sap, ups, mercedes, harvard, stanford, blizzard, booking.com`);
