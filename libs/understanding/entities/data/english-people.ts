import { wordSet } from './word-set.js';

/** Given names that are nothing else in English: they name a person wherever they stand with a capital. */
export const givenNames = wordSet(`
  aaron abby abdul abigail adam adele adrian agnes ahmed aidan aisha akira alan albert alejandro alessandro alex alexa alexander alexandra
  alexis alfred ali alice alicia alina allan allen allison alma alvin alyssa amanda amelia amina amir amit amy ana anastasia anders andre
  andrea andreas andrew andy angela angie anita anjali ann anna anne annie anthony anton antonio arjun arnold arthur arturo asher ashley
  astrid audrey austin ava barbara barry beatrice becky ben benjamin bernard bernice beth bethany betty beverly bianca blake bob bobby
  bonnie brad bradley brandon brenda brendan brent brian bridget brittany bruce bruno bryan bryce caitlin caleb calvin cameron camila
  camille carl carla carlos carmen carol carolina caroline caroline carolyn carrie casey cassandra catherine cathy cecilia cedric chad
  charles charlie charlotte chelsea cheng cheryl chloe chris christian christina christine christopher cindy claire clara clarence
  claudia clayton clifford clinton clyde cody colin colleen connie connor constance corey courtney craig cristina curtis cynthia daisuke
  dale damian damien dan dana daniel daniela danielle danny daphne darius darlene darren dave david dean deborah debra deepak delia denise
  dennis derek desmond diana diane diego dimitri dmitri dolores dominic don donald donna dora doris dorothy douglas duncan dustin dwayne
  dylan eddie edgar edith edmund eduardo edward edwin eileen elaine eleanor elena eli elijah elisa elise elizabeth ella ellen elliot
  elliott elsa emil emilia emily emma emmanuel enrique eric erica erik erika ernest esther ethan eugene eva evan evelyn fatima felicia
  felipe felix fernando fiona florence floyd frances francesca francis francisco franklin fred freddie frederick frieda gabriel
  gabriela gail garrett gary gavin george georgia gerald geraldine gilbert gina giovanni giulia gladys glenn gloria gordon greg gregory
  greta gretchen guillermo gustav gwen hakim hana hannah hans harold harriet harry harvey hassan heather hector heidi helen helena henry
  herbert herman hilary hiroshi holly howard hugh hugo ian ibrahim igor ines ingrid irene isaac isabel isabella isla ismail ivan jacob
  jacqueline jaime jake jamal james jamie jan jane janet janice jared jasmine jason javier jay jean jeff jeffrey jen jenna jennifer jenny
  jeremy jerome jerry jesse jessica jessie jill jim jimmy joan joanna joanne joaquin jocelyn jodie joe joel joey johan johanna johannes
  john johnny jon jonah jonas jonathan jordi jorge jose joseph josephine joshua josh joyce juan juanita judith judy julia julian juliana
  julie juliet julio justin kai kaitlyn karen karim karina karl karla kate katherine kathleen kathryn kathy katie katrina kayla keiko keith
  kelly kelsey ken kenji kenneth kevin khalid kim kimberly klaus kristen kristin kristina kumar kurt kyle lakshmi lance larry lars
  laura lauren laurence laurie lawrence leah lee leila lena leo leon leonard leonardo leroy leslie lewis li liam lillian linda lindsay
  lionel lisa logan lois lorenzo loretta lorraine louis louise lucas lucia lucy luigi luis lukas luke lydia lynn madeline madison magnus
  mandy manuel marc marcel marcia marco marcus margaret maria mariana marianne marie marilyn mario marisol marjorie marlene marsha marta
  martha martin martina marvin mary mateo matt matteo matthew maureen maurice max maxine maya meera megan mehmet mei melanie melissa melvin
  mercedes meredith mia michael michaela michele michelle miguel mikael mike mikhail mildred milton minh mindy miranda miriam mitchell mohamed
  mohammed moira molly monica monique morgan moses muhammad muriel nadia nancy naomi natalia natalie natasha nate nathan nathaniel neil nelson
  nicholas nick nicole nigel nikolai nina noah noel nora norman olga oliver olivia omar oscar otto owen pablo pamela patricia patrick paul paula piotr
  pauline pedro peggy perry pete peter petra phil philip phillip phoebe phyllis pierre priya rachel rafael raj rajesh ralph ramon randy raphael
  raul raymond rebecca regina renee rhonda ricardo richard rick ricky riley rita robert roberta roberto robin rodney roger roland ron ronald
  rosa rosemary roxanne roy ruben rudolf rupert russell ruth ryan sabrina sakura salim sally salma sam samantha samir samuel sandra sanjay sara sarah
  sasha saul scott sean sebastian serena sergei sergio seth shane shannon sharon shaun shawn sheila shelby sheldon shelley sherry shirley sidney
  sienna silvia simon simone sofia sonia sophia sophie stacy stan stanley stefan stella stephanie stephen steve steven stewart stuart
  susan suzanne svetlana sven sylvia takeshi tamara tanya tara tariq tatiana ted terence teresa terry tessa thea thelma theo theodore tomas tomasz theresa
  thomas tiffany tim timothy tina todd tom tommy toni tony tracy travis trevor tristan troy tyler ursula valentina valerie vanessa vera
  vernon veronica vicki vicky victor victoria vijay vikram vince vincent viola virginia vivian vladimir walter wanda warren wayne wei wendy
  wesley wilfred wilhelm willa william willie wilma winston xavier xiao yan yang yasmin yolanda yuki yusuf yvette yvonne zachary zara zhang zoe`);

/** Given names that are words, too: at the start of a sentence they need something that shows a person. */
export const wordNames = wordSet(`
  abel amber april art august autumn basil beau bill brook brooke buddy carter chance chase chip christian clay cliff colt crystal dawn dean
  destiny dick dolly drew duke dusty earl ernest eve faith fern flora forest frank gene ginger grace grant guy hank harmony hazel heath henry
  holly hope hunter iris ivy jack jade jasper jewel jordan joy june kit lane laurel lily mark mason max may melody mercy miles nick norm olive opal
  page paige parker pat pearl penny piper pierce pip poppy presley ray reed rich rob robin rocky rod rose ruby rusty sage sandy savannah scout sky
  skip sonny stone sue summer sunny taylor trinity tucker violet will willow wren`);

/** What stands before a person's name. */
export const titles = wordSet(
  'mr mrs ms miss dr prof professor doctor sir lady president chancellor senator judge captain uncle aunt grandma grandpa coach',
);

/** Behind a name that is a word, too, at the start of a sentence: only a person does these. */
export const personVerbs = wordSet(`
  said says told asked asks wants wanted loves loved likes liked lives lived works worked went goes prefers preferred thinks thought moved joined
  left bought met called recommended suggested decided agreed wrote plans and owns leads led manages reports reported uses used`);
