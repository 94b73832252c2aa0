/**
 * Maps host names and ports to application categories. A category is a line with a colon. Names (with their subdomains)
 * and ports (`tcp/80`, `udp/5000-5100`) follow, separated by blanks. The longest matching name decides, else the port.
 * Operator rules take precedence: `third-party.yunxun.app_flow.rules` in the configuration, then a file in this format
 * on the host.
 */
export const builtInRules = `
# Web pages, and whatever else goes over the web's ports without a name that is listed elsewhere.
HTTP:
  tcp/80 tcp/443 tcp/8080 tcp/8443 udp/443
  baidu.com bing.com google.com sogou.com so.com zhihu.com weibo.com sina.com.cn sohu.com 163.com wikipedia.org
  reddit.com x.com twitter.com facebook.com instagram.com xiaohongshu.com douban.com csdn.net taobao.com tmall.com
  jd.com pinduoduo.com yangkeduo.com amazon.com ebay.com

# Files that are fetched as such: updates, shops of programs, mirrors, sharing of files.
Download:
  tcp/20 tcp/21 tcp/873 tcp/6881-6999 udp/6881-6999 tcp/4662 udp/4672
  windowsupdate.com update.microsoft.com dl.delivery.mp.microsoft.com download.microsoft.com
  swcdn.apple.com swdist.apple.com updates.cdn-apple.com iosapps.itunes.apple.com appldnld.apple.com
  dl.google.com gvt1.com play.googleapis.com
  deb.debian.org security.debian.org archive.ubuntu.com security.ubuntu.com mirrors.aliyun.com
  mirrors.tuna.tsinghua.edu.cn mirrors.ustc.edu.cn mirrors.huaweicloud.com downloads.openwrt.org
  releases.githubusercontent.com objects.githubusercontent.com
  pan.baidu.com baidupcs.com pcs.baidu.com aliyundrive.com alipan.com xunlei.com sandai.net dropboxusercontent.com
  appdlc.hicloud.com appstore.vivo.com.cn market.xiaomi.com

# Talking and writing to each other, meetings with a picture too.
IM:
  tcp/5222 tcp/5223 tcp/5228 udp/3478-3481 tcp/5060-5061 udp/5060-5061
  weixin.qq.com wechat.com wx.qq.com qlogo.cn im.qq.com tim.qq.com work.weixin.qq.com
  dingtalk.com feishu.cn larksuite.com
  whatsapp.com whatsapp.net telegram.org t.me signal.org line.me line-apps.com discord.com discord.gg slack.com
  skype.com teams.microsoft.com zoom.us zoom.com.cn meeting.tencent.com wemeet.qq.com

# Films, clips, live pictures and music.
Video:
  tcp/554 udp/554 tcp/1935
  youtube.com googlevideo.com ytimg.com netflix.com nflxvideo.net disneyplus.com dssott.com primevideo.com aiv-cdn.net
  twitch.tv ttvnw.net vimeo.com vimeocdn.com tiktok.com tiktokv.com tiktokcdn.com spotify.com scdn.co
  bilibili.com bilivideo.com bilivideo.cn hdslb.com iqiyi.com iqiyipic.com qiyi.com youku.com ykimg.com
  v.qq.com video.qq.com tc.qq.com vv.video.qq.com mgtv.com hitv.com le.com pptv.com
  douyin.com douyinvod.com douyinpic.com amemv.com snssdk.com ixigua.com kuaishou.com kwimgs.com yximgs.com
  huya.com douyu.com douyucdn.cn music.163.com music.126.net y.qq.com kugou.com kuwo.cn

# Games and their shops.
Game:
  udp/3074 tcp/3074 udp/27000-27100 tcp/27015-27050 udp/3659 tcp/25565 udp/19132
  steampowered.com steamcontent.com steamcommunity.com steamserver.net epicgames.com unrealengine.com
  riotgames.com leagueoflegends.com battle.net blizzard.com ea.com origin.com ubisoft.com
  xboxlive.com playstation.net playstation.com nintendo.net nintendo.com minecraft.net mojang.com roblox.com
  game.qq.com gcloud.qq.com gcloudcs.com igamecj.com pvp.qq.com game.163.com netease.com mihoyo.com hoyoverse.com
  yuanshen.com 4399.com taptap.cn

# What every network needs to work: names, time, addresses, certificates, mail, remote desks and shells.
Common:
  tcp/53 udp/53 tcp/853 udp/853 udp/67-68 udp/123 udp/137-138 udp/5353 udp/1900 udp/5355
  tcp/25 tcp/110 tcp/143 tcp/465 tcp/587 tcp/993 tcp/995
  tcp/22 tcp/23 tcp/3389 tcp/5900-5910 udp/161-162
  ntp.org time.windows.com time.apple.com time.google.com ntp.aliyun.com
  captive.apple.com connectivitycheck.gstatic.com connectivitycheck.platform.hicloud.com msftconnecttest.com
  digicert.com letsencrypt.org lencr.org ocsp.apple.com

# Measuring a line.
Test:
  tcp/5201 udp/5201 tcp/5001 udp/5001 udp/33434-33534
  speedtest.net ooklaserver.net fast.com speedtest.cn speed.cloudflare.com librespeed.org test.ustc.edu.cn

# Tunnels and private networks: their content cannot be inspected.
Transport:
  udp/500 udp/4500 udp/1701 tcp/1723 udp/1194 tcp/1194 udp/51820-51830 udp/4789 udp/3544 tcp/1080

# Networked machines and houses, storage and databases in the own network.
Others:
  tcp/1883 tcp/8883 tcp/139 tcp/445 tcp/2049 tcp/111 udp/111 tcp/631 tcp/9100 tcp/3306 tcp/5432 tcp/6379
  io.mi.com mijia.tech tuyacn.com tuyaus.com tuyaeu.com ezviz7.com hik-connect.com
`;
