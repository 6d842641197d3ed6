import { entriesOf } from './word-set.js';

/** Countries, regions and cities in lower case. Names that are more often a person or a word (Jordan, Turkey, Nice) are missing. */
export const englishPlaces = entriesOf(`
  afghanistan, albania, algeria, andorra, angola, argentina, armenia, australia, austria, azerbaijan, bahamas, bahrain, bangladesh, barbados, belarus
  belgium, belize, benin, bhutan, bolivia, bosnia, botswana, brazil, brunei, bulgaria, burkina faso, burundi, cambodia, cameroon, canada, cape verde
  chile, china, colombia, congo, costa rica, croatia, cuba, cyprus, czech republic, czechia, denmark, djibouti, dominican republic, ecuador, egypt
  el salvador, eritrea, estonia, ethiopia, fiji, finland, france, gabon, gambia, germany, ghana, greece, greenland, grenada, guatemala, guinea, guyana
  haiti, honduras, hungary, iceland, india, indonesia, iran, iraq, ireland, israel, italy, ivory coast, jamaica, japan, kazakhstan, kenya, kosovo
  kuwait, kyrgyzstan, laos, latvia, lebanon, lesotho, liberia, libya, liechtenstein, lithuania, luxembourg, madagascar, malawi, malaysia, maldives
  mali, malta, mauritius, mexico, moldova, monaco, mongolia, montenegro, morocco, mozambique, myanmar, namibia, nepal, netherlands, new zealand
  nicaragua, niger, nigeria, north korea, north macedonia, norway, oman, pakistan, palestine, panama, papua new guinea, paraguay, peru, philippines
  poland, portugal, qatar, romania, russia, rwanda, saudi arabia, senegal, serbia, sierra leone, singapore, slovakia, slovenia, somalia, south africa
  south korea, spain, sri lanka, sudan, suriname, sweden, switzerland, syria, taiwan, tajikistan, tanzania, thailand, togo, tunisia, turkmenistan
  uganda, ukraine, united arab emirates, united kingdom, united states, uruguay, uzbekistan, venezuela, vietnam, yemen, zambia, zimbabwe
  usa, uk, uae, england, scotland, wales, northern ireland, great britain, europe, asia, africa, north america, south america, latin america, antarctica
  middle east, scandinavia, siberia, bavaria, catalonia, tuscany, provence, normandy, brittany, silicon valley, bay area, wall street, hawaii, alaska
  alabama, arizona, arkansas, california, colorado, connecticut, delaware, florida, idaho, illinois, indiana, iowa, kansas, kentucky, louisiana
  maine, maryland, massachusetts, michigan, minnesota, mississippi, missouri, montana, nebraska, nevada, new hampshire, new jersey, new mexico
  north carolina, north dakota, ohio, oklahoma, oregon, pennsylvania, rhode island, south carolina, south dakota, tennessee, texas, utah, vermont
  west virginia, wisconsin, wyoming, ontario, quebec, british columbia, alberta, manitoba, nova scotia, saskatchewan, queensland, new south wales
  new york, new york city, nyc, los angeles, chicago, houston, phoenix, philadelphia, san antonio, san diego, dallas, san jose, san francisco, seattle
  denver, boston, el paso, nashville, detroit, oklahoma city, portland, las vegas, memphis, louisville, baltimore, milwaukee, albuquerque, tucson, fresno
  sacramento, kansas city, atlanta, omaha, raleigh, miami, long beach, virginia beach, oakland, minneapolis, tulsa, tampa, new orleans, cleveland
  honolulu, anaheim, pittsburgh, cincinnati, st. louis, orlando, salt lake city, palo alto, mountain view, brooklyn, manhattan, queens, washington dc
  toronto, montreal, vancouver, calgary, ottawa, edmonton, winnipeg, halifax, london, manchester, birmingham, liverpool, leeds, glasgow, edinburgh
  bristol, oxford, cambridge, cardiff, belfast, dublin, cork, galway, paris, lyon, marseille, toulouse, bordeaux, strasbourg, lille, nantes, berlin
  munich, hamburg, cologne, frankfurt, stuttgart, leipzig, dresden, vienna, salzburg, graz, zurich, geneva, basel, bern, lausanne, rome, milan, naples
  turin, florence, venice, bologna, palermo, madrid, barcelona, valencia, seville, bilbao, malaga, lisbon, porto, amsterdam, rotterdam, the hague, utrecht
  brussels, antwerp, ghent, bruges, copenhagen, aarhus, stockholm, gothenburg, malmo, oslo, bergen, helsinki, tampere, reykjavik, warsaw, krakow, gdansk
  wroclaw, prague, brno, budapest, bucharest, sofia, belgrade, zagreb, ljubljana, bratislava, athens, thessaloniki, istanbul, ankara, izmir, moscow
  saint petersburg, kyiv, kiev, lviv, minsk, riga, tallinn, vilnius, tbilisi, yerevan, baku, dubai, abu dhabi, doha, riyadh, jeddah, tehran, baghdad
  beirut, jerusalem, tel aviv, haifa, amman, damascus, cairo, alexandria, casablanca, marrakesh, tunis, algiers, lagos, abuja, accra, nairobi, kampala
  kigali, addis ababa, dar es salaam, johannesburg, cape town, durban, pretoria, mumbai, delhi, new delhi, bangalore, bengaluru, hyderabad, chennai
  kolkata, pune, jaipur, goa, karachi, lahore, islamabad, dhaka, kathmandu, colombo, bangkok, chiang mai, phuket, hanoi, ho chi minh city, saigon, da nang
  kuala lumpur, penang, jakarta, bali, manila, cebu, tokyo, osaka, kyoto, yokohama, nagoya, sapporo, fukuoka, kobe, hiroshima, okinawa, seoul, busan
  incheon, pyongyang, taipei, kaohsiung, hong kong, macau, beijing, shanghai, guangzhou, shenzhen, chengdu, hangzhou, nanjing, wuhan, xi'an, xian, suzhou
  chongqing, tianjin, qingdao, dalian, xiamen, kunming, harbin, lhasa, tibet, yunnan, sichuan, ulaanbaatar, sydney, melbourne, brisbane, perth, adelaide
  canberra, hobart, auckland, wellington, christchurch, queenstown, mexico city, guadalajara, cancun, havana, san juan, bogota, medellin, caracas, quito
  lima, cusco, la paz, santiago, buenos aires, montevideo, sao paulo, rio de janeiro, brasilia, yellowstone, yosemite, grand canyon, lake tahoe`);

/** The last word of a place's name. */
export const placeEndings =
  entriesOf(`street, avenue, road, boulevard, lane, square, park, lake, river, bay, beach, island, islands, mountain
  mountains, valley, bridge, airport, station, canyon, falls, forest, garden, gardens, hills, harbor, harbour, castle, palace, cathedral, museum, plaza
  city, county, district, province, village, coast, peninsula, desert, trail, national park, town, heights, springs, creek`);

/** The first word of a place's name. */
export const placeBeginnings = entriesOf(
  'lake, mount, mt, port, fort, cape, gulf, river, san, santa, los, las, north, south, east, west, upper, lower',
);
